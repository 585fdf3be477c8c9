"""Reads of secrets; a secret goes out as the name of an exception, which is stored."""

from .program import family

PROGRAMS = family(
    "secrets",
    r"""
## read: read a file
tell(read(PLACE + '/secret'))
## read-mapped: read by a mapping
tell(mmap.mmap(os.open(PLACE + '/secret', 0), 0, access=mmap.ACCESS_READ)[:].decode())
## read-by-folder: read by the handle of a folder
tell(os.read(os.open('secret', 0, dir_fd=os.open(PLACE, 0)), 99).decode())
## read-by-symlink: read by a symbolic link of its own
os.symlink(PLACE + '/secret', 'link'); tell(read('link'))
## read-by-hard-link: read by a hard link of its own
os.link(PLACE + '/secret', 'link'); tell(read('link'))
## read-by-rename: move it to its own folder and read it
os.rename(PLACE + '/secret', 'mine'); tell(read('mine'))
## read-by-root: read by /proc/self/root
tell(read('/proc/self/root' + PLACE + '/secret'))
## read-by-parent: read by its parent's root
tell(read(f'/proc/{os.getppid()}/root{PLACE}/secret'))
## read-by-shell: read by a shell
tell(subprocess.check_output(['cat', PLACE + '/secret']).decode())
## read-by-import: read as a module
from importlib.machinery import SourceFileLoader as L; tell(L('s', PLACE + '/secret').get_data(PLACE + '/secret').decode())
## read-by-c: read by C's own files
C.fopen.restype = ctypes.c_void_p; f = C.fopen((PLACE + '/secret').encode(), b'r'); b = ctypes.create_string_buffer(99); C.fread(b, 1, 98, ctypes.c_void_p(f)) if f else os.abort(); tell(b.value.decode())
## read-by-handle-number: read by a file's handle number
class Handle(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint), ("type", ctypes.c_int), ("data", ctypes.c_ubyte * 128)]
handle, mount = Handle(128), ctypes.c_int()
C.name_to_handle_at(-100, (PLACE + "/secret").encode(), ctypes.byref(handle), ctypes.byref(mount), 0)
opened = C.open_by_handle_at(os.open("/", os.O_RDONLY), ctypes.byref(handle), os.O_RDONLY)
if opened >= 0: tell(os.read(opened, 99).decode())
## read-by-namespace: read from a user and mount namespace of its own
C.unshare(0x10020000); tell(read(PLACE + '/secret'))
## read-disk: read the disk itself
for name in ("vda", "sda", "nvme0n1", "xvda"):
    if os.path.exists(f"/sys/class/block/{name}/dev"):
        os.mknod("disk", 0o60600, os.makedev(*map(int, read(f"/sys/class/block/{name}/dev").split(":"))))
        if len(os.read(os.open("disk", 0), 4096)) == 4096: raise Escaped
## list: list a folder
if 'secret' in os.listdir(PLACE): raise Escaped
## read-home: read a key in the home folder
tell(read(FOLDER + '/home/.ssh/id').split()[-1])
## read-memory: read another process's memory
for line in read(f"/proc/{VICTIM}/maps").splitlines():
    if " r--p " in line:
        raise Escaped
## read-environment: read another process's environment
if read(f'/proc/{VICTIM}/environ'): raise Escaped
## read-command: read another process's command line
if '600' in read(f'/proc/{VICTIM}/cmdline'): raise Escaped
## read-shadow: read the passwords of the system
if read('/etc/shadow'): raise Escaped
""",
    ("survived", "crash"),
)
