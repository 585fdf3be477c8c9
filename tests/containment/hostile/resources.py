"""Memory and disk, more than one program is given."""

from .program import STOPPED, SURVIVED, family

_MEMORY = family(
    "memory",
    r"""
## one-array: one large array
data = bytearray(MEGABYTES << 20); raise Escaped
## forked: much by many processes
count, each = FORKED
ends = os.pipe()
def work():
    data = bytearray(each << 20)
    for at in range(0, len(data), 4096): data[at] = 1
    os.write(ends[1], b"x"); time.sleep(2)
for _ in range(count): spawn(work)
time.sleep(2.0)
os.set_blocking(ends[0], False)
if len(os.read(ends[0], 999)) >= count: raise Escaped
## mapped: mappings shared with nobody
maps = [mmap.mmap(-1, 64 << 20) for _ in range(MEGABYTES // 64)]; raise Escaped
## memory-files: files that lie in memory
whole = b"x" * (1 << 20)
made = 0
for _ in range(MEGABYTES // 4):
    handle = os.memfd_create("m")
    made += os.write(handle, whole)
    if made >= MEGABYTES // 4 << 20: raise Escaped
## memory-file-mapped: one file in memory, mapped and written by children
handle = os.memfd_create("m")
os.ftruncate(handle, 512 << 20)
def work(number):
    view = mmap.mmap(handle, 64 << 20, offset=number * (64 << 20))
    for at in range(0, 64 << 20, 4096): view[at] = 1
for number in range(8):
    if os.waitpid(spawn(lambda: work(number)), 0)[1]: break
else:
    raise Escaped
## shared-folder: files in the shared memory of all
for number in range(64):
    with open(f"/dev/shm/{MARK}-{number}", "wb") as file: file.write(b"x" * (1 << 19))
## system-v: shared memory that outlives its maker
key = int(MARK[2:8], 16); C.shmget(key, 8 << 20, 0o1666)
## queues: messages that outlive their sender
key = int(MARK[2:8], 16); C.msgget(key, 0o1666)
## semaphores: semaphores that outlive their maker
key = int(MARK[2:8], 16); C.semget(key, 4, 0o1666)
## lists: a list that doubles
data = [0]
while True: data += data
## pipes: what lies in pipes
import fcntl
made = 0
while made < 128:
    ends = os.pipe()
    os.set_blocking(ends[1], False)
    made += fcntl.fcntl(ends[1], 1031, 1 << 20) >> 20
    os.write(ends[1], b"x" * (1 << 20))
raise Escaped
## recursion: a deep recursion of large frames
def f(n):
    data = bytearray(1 << 22); return f(n + 1) + len(data)
f(0)
""",
    (SURVIVED, *STOPPED),
)

_DISK = family(
    "disk",
    r"""
## one-file: one large file
with open("big", "wb") as file:
    for _ in range(DISK): file.write(b"x" * (1 << 20))
raise Escaped
## many-files: many small files
for number in range(DISK):
    with open(f"f{number}", "wb") as file: file.write(b"x" * (1 << 20))
raise Escaped
## many-files-by-children: many small files, by many processes
def work(part):
    for number in range(DISK // 8):
        with open(f"f{part}-{number}", "wb") as file: file.write(b"x" * (1 << 20))
    os._exit(7)
if all(os.waitpid(spawn(lambda: work(part)), 0)[1] >> 8 == 7 for part in range(8)): raise Escaped
## raised-limit: one large file after raising its limits
resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))
with open("big", "wb") as file:
    for _ in range(DISK): file.write(b"x" * (1 << 20))
raise Escaped
## sparse: a file that pretends
os.truncate(os.open('sparse', os.O_CREAT | os.O_RDWR), 1 << 40); raise Escaped
## removed-file: files without a name
made = 0
for number in range(40):
    handle = os.open(".", os.O_TMPFILE | os.O_RDWR)
    made += os.write(handle, b"x" * (1 << 20))
## many-folders: many folders
for number in range(3000): os.mkdir(f'd{number}')
## many-empty-files: many names
for number in range(5000): os.close(os.open(f'n{number}', os.O_CREAT))
## deep-folders: folders within folders
for _ in range(1500): os.mkdir('d' * 100); os.chdir('d' * 100)
## deep-folders-renamed: as deep, made by moving
for _ in range(3):
    for _ in range(300): os.mkdir("e" * 200); os.chdir("e" * 200)
## shut-folder: a folder without permissions
os.mkdir('shut'); write('shut/file'); os.chmod('shut', 0)
## shut-own-folder: its own folder without permissions
write('file'); os.chmod('.', 0)
## unchangeable: a file that cannot be removed
import fcntl; write('f'); fcntl.ioctl(os.open('f', 0), 0x40086602, struct.pack('l', 0x10))
## fifo: a fifo that whoever opens waits for
os.mkfifo('fifo')
## socket-file: a socket as a file
os.mknod('socket', 0o140600)
## odd-names: names that are no text
for name in (b'\xff\xfe', b'a\nb', b'-rf', b'*', b'\x1b[31m'): os.close(os.open(name, os.O_CREAT))
## link-to-root: a link to the root
os.symlink('/', 'root'); os.symlink('link', 'link')
## remove-own-folder: its own folder removed
own = os.getcwd(); os.rmdir(own)
## move-own-folder: its own folder moved away
os.rename(os.getcwd(), PLACE + '/moved')
## locked-file: a lock that a detached process keeps
import fcntl
file = open('lock', 'w')
def work():
    os.setsid(); fcntl.flock(file, fcntl.LOCK_EX); stay()
spawn(work)
""",
    (SURVIVED, *STOPPED),
)

PROGRAMS = (*_MEMORY, *_DISK)
