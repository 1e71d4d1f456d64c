# A collector for tests of push: answers as it is told and notes what it gets.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# collector.py FOLDER ANSWER...
#
# Writes its port to FOLDER/port.  Request number N (from 0) is answered by ANSWER
# number N, or the last one: a status, or one of
#
#   STATUS:NAME=VALUE[,NAME=VALUE...]  with these headers
#   partial:N:TEXT	200, with N rejected profiles
#   slow:SECONDS	200, after so long
#   status:TEXT		400, with a message in protobuf
#   close		no answer
#
# FOLDER/N.request has its first line and headers, FOLDER/N.body the body, not
# compressed.  With FOLDER/key.pem and cert.pem it speaks TLS.  It ends when
# FOLDER/stop exists.
import gzip
import http.server
import os
import ssl
import sys
import threading
import time

folder, answers = sys.argv[1], sys.argv[2:]
count = 0


def field(number, data):
    if isinstance(data, int):
        return bytes([number << 3, data])
    return bytes([number << 3 | 2, len(data)]) + data


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        global count
        number, count = count, count + 1
        answer = answers[min(number, len(answers) - 1)].split(":", 2)
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers["Content-Encoding"] == "gzip":
            body = gzip.decompress(body)
        with open(f"{folder}/{number}.body", "wb") as file:
            file.write(body)
        with open(f"{folder}/{number}.tmp", "w") as file:
            file.write(f"{self.requestline}\n{time.time()}\n{self.headers}")
        os.rename(f"{folder}/{number}.tmp", f"{folder}/{number}.request")
        status, headers, text = 200, {}, b""
        if answer[0] == "close":
            self.close_connection = True
            return
        if answer[0] == "partial":
            headers["Content-Type"] = "application/x-protobuf"
            text = field(1, field(1, int(answer[1]))
                         + field(2, answer[2].encode()))
        elif answer[0] == "status":
            headers["Content-Type"] = "application/x-protobuf"
            status, text = 400, field(1, 3) + field(2, answer[1].encode())
        elif answer[0] == "slow":
            time.sleep(float(answer[1]))
        else:
            status = int(answer[0])
            for pair in answer[1].split(",") if len(answer) > 1 else []:
                name, value = pair.split("=", 1)
                headers[name] = value
        try:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)
        except OSError:
            pass

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
if os.path.exists(f"{folder}/key.pem"):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/cert.pem", f"{folder}/key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
with open(f"{folder}/port.tmp", "w") as file:
    file.write(str(server.server_address[1]))
os.rename(f"{folder}/port.tmp", f"{folder}/port")
end = time.time() + 300
while not os.path.exists(f"{folder}/stop") and time.time() < end:
    time.sleep(0.05)
