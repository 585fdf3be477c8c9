"""Writes outside the program's own files: in folders of others, to sources, results and caches."""

from .program import family

_IN_A_PLACE = family(
    "files",
    r"""
## write: overwrite a file
write(PLACE + '/file')
## append: append to a file
write(PLACE + '/file', mode='a')
## truncate: cut a file off
os.truncate(PLACE + '/file', 0)
## create: make a file
write(PLACE + '/new')
## rename: rename a file
os.rename(PLACE + '/file', PLACE + '/other')
## replace: put its own file in a file's place
write('own'); os.replace('own', PLACE + '/file')
## exchange: exchange two files
C.renameat2(-100, (PLACE + '/file').encode(), -100, (PLACE + '/secret').encode(), 2)
## unlink: remove a file
os.unlink(PLACE + '/file')
## rmtree: remove a tree
import shutil; shutil.rmtree(PLACE + '/tree')
## mkdir: make a folder
os.mkdir(PLACE + '/folder')
## rmdir: remove a folder
os.rmdir(PLACE + '/tree/empty')
## chmod: change a mode
os.chmod(PLACE + '/file', 0o777)
## chown: change an owner
os.chown(PLACE + '/file', 12345, 12345)
## utime: change times
os.utime(PLACE + '/file', (1, 1))
## xattr: set an attribute
os.setxattr(PLACE + '/file', 'user.mark', MARK.encode())
## link-in: make a hard link there
write('own'); os.link('own', PLACE + '/link')
## link-and-write: write through a hard link of its own
os.link(PLACE + '/file', 'link'); write('link')
## symlink-in: make a symbolic link there
os.symlink('file', PLACE + '/link')
## symlink-and-write: write through a symbolic link of its own
os.symlink(PLACE + '/file', 'link'); write('link')
## fifo-in: make a fifo there
os.mkfifo(PLACE + '/fifo')
## node-in: make a device there
os.mknod(PLACE + '/node', 0o20666, os.makedev(1, 3))
## map-and-write: write through a mapping
with open(PLACE + '/file', 'r+b') as file: mmap.mmap(file.fileno(), 0)[:4] = b'mine'
## by-folder-handle: write by the handle of a folder
folder = os.open(PLACE, os.O_RDONLY); os.write(os.open('file', os.O_WRONLY, dir_fd=folder), b'mine')
## by-path-handle: write by a handle without rights, opened anew
handle = os.open(PLACE + '/file', os.O_PATH); write(f'/proc/self/fd/{handle}')
## by-own-root: write by /proc/self/root
write('/proc/self/root' + PLACE + '/file')
## by-parents-root: write by its parent's root
write(f'/proc/{os.getppid()}/root{PLACE}/file')
## by-parents-folder: write below its parent's working folder
write(f'/proc/{os.getppid()}/cwd{(chr(47) + chr(46) * 2) * 9}{PLACE}/file')
## by-shell: write by a shell
os.system(f'echo {MARK} > {PLACE}/file')
## by-python: write by another Python
subprocess.run([sys.executable, '-c', f'open({PLACE + chr(47) + "file"!r}, "w")'])
## by-detached: write by a detached process
def work():
    os.setsid(); write(PLACE + '/file')
os.waitpid(spawn(work), 0)
## by-thread: write by a thread
t = threading.Thread(target=write, args=(PLACE + '/file',)); t.start(); t.join()
## by-copy-range: write by copying in the kernel
write('own'); out = os.open(PLACE + '/file', os.O_WRONLY); os.copy_file_range(os.open('own', os.O_RDONLY), out, 20)
## by-truncating-handle: cut off by opening
os.close(os.open(PLACE + '/file', os.O_RDONLY | os.O_TRUNC))
## by-handle-number: write by a file's handle number (open_by_handle_at)
class Handle(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint), ("type", ctypes.c_int), ("data", ctypes.c_ubyte * 128)]
handle, mount = Handle(128), ctypes.c_int()
C.name_to_handle_at(-100, (PLACE + "/file").encode(), ctypes.byref(handle), ctypes.byref(mount), 0)
opened = C.open_by_handle_at(os.open("/", os.O_RDONLY), ctypes.byref(handle), os.O_WRONLY)
if opened >= 0: os.write(opened, b"mine")
## by-inherited-handles: write by any folder that it has inherited a handle of
for number in range(64):
    try:
        os.write(os.open("../" * 12 + PLACE.lstrip("/") + "/file", os.O_WRONLY, dir_fd=number), b"mine")
    except OSError:
        pass
## by-new-namespace: write from a user and mount namespace of its own
def work():
    C.unshare(0x10020000)
    C.mount(b"/", b"/", None, 0x44000, None)
    write(PLACE + "/file")
os.waitpid(spawn(work), 0)
## bind-and-write: write where it has mounted the folder anew
os.mkdir("here")
C.mount(PLACE.encode(), b"here", None, 0x1000, None)
C.mount(None, b"here", None, 0x1020, None)
try:
    write("here/file")
finally:
    C.umount2(b"here", 2)
## mount-over: mount a folder over one
C.mount(b'none', PLACE.encode(), b'tmpfs', 0, None)
## unmount: unmount what hides folders, and write
C.umount2(PLACE.encode(), 2); C.umount2(b'/tmp', 2) if os.readlink('/proc/self/ns/mnt') != HOST_MOUNTS else 0; write(PLACE + '/file')
## chroot-out: get out by chroot
os.mkdir('d'); os.chroot('d'); os.chdir('../' * 30); os.chroot('.'); write(PLACE + '/file')
## join-parents-namespace: write from its parent's mount namespace
C.setns(os.pidfd_open(os.getppid()), 0x20000); write(PLACE + '/file')
## join-first-namespace: write from the first process's mount namespace
C.setns(os.open('/proc/1/ns/mnt', 0), 0x20000); write(PLACE + '/file')
## immutable: make a file unchangeable
import fcntl; fcntl.ioctl(os.open(PLACE + '/file', 0), 0x40086602, struct.pack('l', 0x10))
""",
)

_OF_THE_HARNESS = family(
    "files",
    r"""
## subject-source: write to the subject's source
write(FOLDER + '/subjects/counter/impl.py', '# ' + MARK + chr(10), 'a')
## subject-spec: write to the subject's spec
write(FOLDER + '/subjects/counter/spec.py', '# ' + MARK + chr(10), 'a')
## home: write to the home folder
write(FOLDER + '/home/.profile', MARK, 'a')
## results: write to the folder of results
write(RUN + '/' + MARK)
## work-files: write to the run's work files
write(RUN + '/.work/' + MARK)
## suite-cache: write to the cache of suites
write(FOLDER + '/cache/suites/' + MARK)
## cache: write to the cache
write(FOLDER + '/cache/' + MARK)
## package: write to the package
write(PACKAGE + '/' + MARK)
## temporary: write to the folder of temporary files
write(FOLDER + '/tmp/' + MARK)
## shared-memory: write to the shared memory of all
write('/dev/shm/' + MARK)
## system-temporary: write to the system's temporary folder
write('/var/tmp/' + MARK)
""",
)

_OF_THIS_RUN = family(
    "files",
    r"""
## forge-store: write verdicts into the store
import sqlite3
store = sqlite3.connect(RUN + "/run.sqlite", timeout=0.5)
store.execute("UPDATE mutant_result SET verdict = 'survived', reason = NULL, phase = NULL, input = NULL")
store.commit()
## damage-store: write garbage over the store
handle = os.open(RUN + '/run.sqlite', os.O_WRONLY); os.pwrite(handle, MARK.encode() * 500, 4096)
## remove-store: remove the store
os.unlink(RUN + '/run.sqlite'); write(RUN + '/' + MARK)
## damage-suite: write over the cached suite
for name in os.listdir(FOLDER + "/cache/suites"):
    for file in os.listdir(f"{FOLDER}/cache/suites/{name}"):
        handle = os.open(f"{FOLDER}/cache/suites/{name}/{file}", os.O_WRONLY)
        os.pwrite(handle, b"0", os.fstat(handle).st_size // 2)
        write(f"{FOLDER}/cache/suites/{name}/{MARK}")
## damage-baseline: write over what the original did
for path, _, names in os.walk(RUN + "/.work"):
    for name in names:
        handle = os.open(path + "/" + name, os.O_WRONLY)
        os.pwrite(handle, b"0", os.fstat(handle).st_size // 2)
        write(RUN + "/" + MARK)
""",
    alone=True,
)

PROGRAMS = (*_IN_A_PLACE, *_OF_THE_HARNESS, *_OF_THIS_RUN)
