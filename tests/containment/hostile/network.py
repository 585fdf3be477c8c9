"""Connections: data that a program reads must not leave the machine, nor reach other programs on it."""

from .program import family

PROGRAMS = family(
    "network",
    r"""
## tcp: connect and send a secret
s = socket.create_connection(('127.0.0.1', PORT), 1); s.sendall((MARK + read(PLACE + '/secret')).encode())
## tcp-bare: connect and send a word
s = socket.create_connection(('127.0.0.1', PORT), 1); s.sendall(MARK.encode())
## tcp-v6: connect by IPv6
s = socket.create_connection(('::1', PORT), 1); s.sendall(MARK.encode())
## tcp-mapped: connect by an IPv4 address written as IPv6
s = socket.create_connection(('::ffff:127.0.0.1', PORT), 1); s.sendall(MARK.encode())
## tcp-by-shell: connect by bash
subprocess.run(['bash', '-c', f'echo {MARK} > /dev/tcp/127.0.0.1/{PORT}'], stderr=-3)
## tcp-by-detached: connect from a detached process
def work():
    os.setsid(); socket.create_connection(('127.0.0.1', PORT), 1).sendall(MARK.encode())
os.waitpid(spawn(work), 0)
## tcp-by-thread: connect from a thread
def work():
    socket.create_connection(('127.0.0.1', PORT), 1).sendall(MARK.encode())
t = threading.Thread(target=work); t.start(); t.join()
## tcp-fast-open: send with the first packet
s = socket.socket(); s.sendto(MARK.encode(), 0x20000000, ('127.0.0.1', PORT)); time.sleep(0.1)
## multipath-tcp: connect by multipath TCP
s = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262); s.connect(('127.0.0.1', PORT)); s.sendall(MARK.encode())
## udp: send a datagram
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(MARK.encode(), ('127.0.0.1', PORT))
## udp-v6: send a datagram by IPv6
socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).sendto(MARK.encode(), ('::ffff:127.0.0.1', PORT))
## udp-raw: send a datagram made by hand
s = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_UDP)
data = MARK.encode()
s.sendto(struct.pack("!HHHH", PORT, PORT, 8 + len(data), 0) + data, ("127.0.0.1", 0))
## dns: ask a name server
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(bytes(12) + bytes([len(MARK)]) + MARK.encode() + bytes(5), ('127.0.0.1', PORT))
## unix: connect to a socket in a folder
s = socket.socket(socket.AF_UNIX); s.connect(PLACE + '/socket'); s.sendall(MARK.encode())
## unix-abstract: connect to a socket without a folder
s = socket.socket(socket.AF_UNIX); s.connect(chr(0) + 'mutascope-' + str(PORT)); s.sendall(MARK.encode())
## unix-in: make a socket in a folder
socket.socket(socket.AF_UNIX).bind(PLACE + '/mine')
## listen: wait for a connection
s = socket.socket(); s.setsockopt(1, 2, 1); s.bind(('127.0.0.1', PORT + 1)); s.listen(); s.settimeout(0.6); s.accept()[0].sendall(MARK.encode())
## raw: read what others send
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)); s.settimeout(0.1); s.bind(('lo', 0)); socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', PORT)); s.recv(10); raise Escaped
## ring: open a ring of kernel work, by which sockets are made unseen
if C.syscall(425, 8, ctypes.create_string_buffer(120)) >= 0: raise Escaped
## host-namespace: join the first process's network
C.setns(os.open('/proc/1/ns/net', 0), 0x40000000); socket.create_connection(('127.0.0.1', PORT), 1).sendall(MARK.encode())
""",
    ("survived", "crash", "wall_limit"),
)
