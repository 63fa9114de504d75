"""make_archives.py SOLUTION FOLDER: writes archives for check_archives.sh into FOLDER, good ones and hostile
ones. Hostile ones hold the solution too, so that nothing but the one entry can be what is refused."""

import bz2
import gzip
import io
import lzma
import os
import struct
import sys
import tarfile
import zipfile
import zlib

solution, folder = sys.argv[1:]
SOURCES = {name: open(os.path.join(solution, name), "rb").read() for name in sorted(os.listdir(solution))}
os.chdir(folder)


def tar_of(name, *members, mode="w", prefix="", form=tarfile.GNU_FORMAT, options=None):
    """Members: (TarInfo, bytes) behind the solution's files."""
    with tarfile.open(name, mode, format=form, **(options or {})) as tar:
        for source, content in SOURCES.items():
            add(tar, tarfile.TarInfo(prefix + source), content)
        for info, content in members:
            add(tar, info, content)


def add(tar, info, content):
    if content:
        info.size = len(content)
    tar.addfile(info, io.BytesIO(content))


def info(name, kind=tarfile.REGTYPE, link=""):
    result = tarfile.TarInfo(name)
    result.type = kind
    result.linkname = link
    return result


def zip_of(name, *members, prefix=""):
    """Members: (name or ZipInfo, bytes) behind the solution's files."""
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as archive:
        for source, content in SOURCES.items():
            archive.writestr(prefix + source, content)
        for entry, content in members:
            archive.writestr(entry, content)


def zip_info(name, mode):
    entry = zipfile.ZipInfo(name)
    entry.create_system = 3
    entry.external_attr = mode << 16
    return entry


def raw_zip(name, entries):
    """A zip with names as raw bytes, stored, made on Windows: (name, content, flags)."""
    body, directory = b"", b""
    for raw, content, flags in entries:
        crc = zlib.crc32(content)
        head = struct.pack("<HHHHHIIIHH", 20, flags, 0, 0, 33, crc, len(content), len(content), len(raw), 0)
        directory += (b"PK\x01\x02" + struct.pack("<H", 20) + head + struct.pack("<HHHII", 0, 0, 0, 0, len(body)) + raw)
        body += b"PK\x03\x04" + head + raw + content
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, len(entries), len(entries), len(directory), len(body), 0)
    open(name, "wb").write(body + directory + end)


def plain_zip_entries(*more):
    return [(source.encode(), content, 0) for source, content in SOURCES.items()] + list(more)


# Good ones: the same files in every dress.
tar_of("flat.tar")
tar_of("inside.tar.gz", mode="w:gz", prefix="alice/", form=tarfile.PAX_FORMAT)
tar_of("dots.tar.xz", mode="w:xz", prefix="./")
tar_of("deeper.tar.bz2", mode="w:bz2", prefix="submission/lab 3/")
zip_of("flat.zip")
zip_of("inside.zip", prefix="alice/")
zip_of("mac.zip", ("__MACOSX/alice/._exercise1_tiled.cu", b"\0\5\x16\7"), ("alice/.DS_Store", b"\0\0\0\1Bud1"),
       (".DS_Store", b"\0"), prefix="alice/")
tar_of("hidden.tar", (info(".git/HEAD"), b"ref"), (info(".git/link", tarfile.SYMTYPE, "/etc/passwd"), b""))
with zipfile.ZipFile("fifty.zip", "w") as archive:  # every entry streamed, as web services do it
    for source, content in SOURCES.items():
        with archive.open(source, "w", force_zip64=True) as stream:
            stream.write(content)

# The same files and one more.
zip_of("nested.zip", ("more.zip", open("flat.zip", "rb").read()))
raw_zip("cp437.zip", plain_zip_entries(("na\u00efve.txt".encode("cp437"), b"x", 0)))
raw_zip("utf8.zip", plain_zip_entries(("na\u00efve.txt".encode(), b"x", 0)))
raw_zip("windows.zip", [(b"alice\\" + name, content, flags) for name, content, flags in plain_zip_entries()])
raw_zip("flagged.zip", plain_zip_entries(("na\u00efve.txt".encode(), b"x", 0x800)))

# Names.
tar_of("absolute.tar", (info("/tmp/gpugrade-absolute"), b"x"))
zip_of("absolute.zip", ("/tmp/gpugrade-absolute", b"x"))
tar_of("parent.tar", (info("../../gpugrade-parent"), b"x"))
zip_of("parent.zip", ("a/../../gpugrade-parent", b"x"))
tar_of("hidden_parent.tar", (info(".a/../../gpugrade-parent"), b"x"))
zip_of("drive.zip", ("C:/Windows/x.cu", b"x"))
tar_of("backslash.tar", (info("a\\b.cu"), b"x"))
raw_zip("windows_parent.zip", plain_zip_entries((b"..\\..\\gpugrade-parent", b"x", 0)))
tar_of("latin1.tar", (info("caf\udce9.cu"), b"x"))
zip_of("escape.zip", ("a\x1b[31mred.cu", b"x"))
zip_of("newline.zip", ("a\n::error::forged.cu", b"x"))
zip_of("bidi.zip", ("a\u202euc.exe", b"x"))
zip_of("case.zip", ("Exercise1_Tiled.cu", b"x"))
tar_of("normal.tar", (info("\u00e9.h"), b"x"), (info("e\u0301.h"), b"x"))
zip_of("normal.zip", ("\u00e9.h", b"x"), ("e\u0301.h", b"x"))
zip_of("dot.zip", ("exercise1_tiled.cu.", b"x"))
tar_of("both.tar", (info("exercise1_tiled.cu/inner.h"), b"x"))
tar_of("twice.tar", (info("exercise1_tiled.cu"), b"x"))
tar_of("deep.tar", (info("/".join("abcdefghijkl") + "/x.cu"), b"x"))
tar_of("long.tar", (info("n" * 300 + ".cu"), b"x"))
tar_of("longer.tar", (info("/".join(["n" * 250] * 5)), b"x"))

# Kinds.
tar_of("link.tar", (info("data.cu", tarfile.SYMTYPE, "/etc/passwd"), b""))
zip_of("link.zip", (zip_info("data.cu", 0o120777), b"/etc/passwd"))
tar_of("hard.tar", (info("data.cu", tarfile.LNKTYPE, "exercise1_tiled.cu"), b""))
tar_of("through.tar", (info("out", tarfile.SYMTYPE, "/tmp"), b""), (info("out/gpugrade-through"), b"x"))
tar_of("fifo.tar", (info("pipe", tarfile.FIFOTYPE), b""))
for kind in (tarfile.CHRTYPE, tarfile.BLKTYPE):
    device = info("null", kind)
    device.devmajor, device.devminor = 1, 3
    tar_of("device%s.tar" % kind.decode(), (device, b""))
secret = zipfile.ZipInfo("secret.cu")
raw_zip("encrypted.zip", plain_zip_entries((b"secret.cu", b"0123456789abcdef", 1)))

# Sizes.
MIB = bytes(1 << 20)
tar_of("large.tar.gz", (info("large.bin"), MIB * 17), mode="w:gz")
tar_of("much.tar.xz", *[(info("data%d.bin" % i), MIB * 15) for i in range(5)], mode="w:xz", options={"preset": 0})
zip_of("large.zip", ("large.bin", MIB * 17))
tar_of("files.tar.gz", *[(info("f%d" % i), b"") for i in range(2100)], mode="w:gz")
tar_of("folders.tar.gz", *[(info("d%d" % i, tarfile.DIRTYPE), b"") for i in range(2100)], mode="w:gz")
with gzip.open("million.tar.gz", "wb", compresslevel=1) as stream:  # a million entries, all hidden
    head = info(".hidden").tobuf()
    for _ in range(1000):
        stream.write(head * 1000)
with gzip.open("bomb.tar.gz", "wb", compresslevel=9) as stream:  # half a GiB of zeros
    large = info("bomb.bin")
    large.size = 1 << 29
    stream.write(large.tobuf())
    for _ in range(512):
        stream.write(MIB)
sparse = info("sparse.bin")
sparse.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": "sparse.bin",
                      "GNU.sparse.realsize": str(1 << 40)}
tar_of("sparse.tar", (sparse, b"1\n0\n1\n".ljust(512, b"\0") + b"x"), form=tarfile.PAX_FORMAT)

# Broken ones.
for name, kept in (("flat.tar", 0.7), ("inside.tar.gz", 0.7), ("dots.tar.xz", 0.7), ("flat.zip", 0.7)):
    content = open(name, "rb").read()
    open("cut_" + name, "wb").write(content[:int(len(SOURCES["exercise1_tiled.cu"]) * 0.7 + 512)
                                            if name.endswith("tar") else int(len(content) * kept)])
content = bytearray(open("flat.zip", "rb").read())
content[200] ^= 0x55
open("damaged.zip", "wb").write(content)
open("empty.tar.gz", "wb").write(gzip.compress(bytes(10240)))
open("nothing.zip", "wb").write(b"")
open("seven.7z", "wb").write(b"7z\xbc\xaf\x27\x1c" + bytes(100))
open("winrar.rar", "wb").write(b"Rar!\x1a\x07\x01" + bytes(100))
open("source.cu", "wb").write(SOURCES["exercise1_tiled.cu"])
open("source.cu.gz", "wb").write(gzip.compress(SOURCES["exercise1_tiled.cu"]))
open("noise.zip", "wb").write(bytes((i * 7919 >> 5) & 255 for i in range(5000)))
