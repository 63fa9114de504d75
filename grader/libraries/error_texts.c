/* error_texts.c: the call of NVRTC that says what an error means. Programs print what it gives
 * after each call that is refused. */
const char *nvrtcGetErrorString(int result);

const char *nvrtcGetErrorString(int result)
{
    return result == 0 ? "NVRTC_SUCCESS" : "NVRTC_ERROR_INTERNAL_ERROR";
}
