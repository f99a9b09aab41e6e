/**
 * Loaded with `--require` before a program: logs the order in which it writes, flushes, creates and removes files and
 * answers, one JSON line each, to the file named by WRITE_ORDER_LOG. The program itself is not changed.
 */
const fs = require("node:fs");

const { openSync, closeSync, writeSync, fdatasyncSync, fsyncSync, unlinkSync, constants } = fs;
const log = process.env.WRITE_ORDER_LOG && openSync(process.env.WRITE_ORDER_LOG, "a", 0o600);
const paths = new Map();

function note(op, path, kind) {
  if (log) writeSync(log, `${JSON.stringify({ op, path, kind, at: Date.now() })}\n`);
}

fs.openSync = (path, flags, ...rest) => {
  const isNew = typeof flags === "number" && (flags & constants.O_CREAT) !== 0 && !fs.existsSync(path);
  const fd = openSync(path, flags, ...rest);
  paths.set(fd, String(path));
  if (isNew) note("create", String(path));
  return fd;
};

fs.closeSync = (fd) => {
  paths.delete(fd);
  closeSync(fd);
};

fs.writeSync = (fd, bytes, ...rest) => {
  const written = writeSync(fd, bytes, ...rest);
  if (fd === 1 || fd === 2) note("answer", "");
  else note("write", paths.get(fd) ?? "", /"kind":"(\w+)"/.exec(bytes.toString("latin1"))?.[1]);
  return written;
};

fs.fdatasyncSync = (fd) => {
  fdatasyncSync(fd);
  note("flush", paths.get(fd) ?? "");
};

const { fdatasync } = fs;
fs.fdatasync = (fd, done) => {
  const path = paths.get(fd) ?? "";
  fdatasync(fd, (error) => {
    note("flush", path);
    done(error);
  });
};

fs.fsyncSync = (fd) => {
  fsyncSync(fd);
  note("flush", paths.get(fd) ?? "");
};

fs.unlinkSync = (path) => {
  unlinkSync(path);
  note("remove", String(path));
};

// A hook without an answer says so by ending. The daemon answers over HTTP.
const { reallyExit } = process;
process.reallyExit = (code) => {
  note("answer", "");
  reallyExit.call(process, code);
};
if (process.argv[2] === "worker") {
  const { Socket } = require("node:net");
  const { write } = Socket.prototype;
  // A line about a message.
  Socket.prototype.write = function (...args) {
    if (typeof args[0] === "string" && args[0].startsWith('{"n":')) note("answer", "");
    return write.apply(this, args);
  };
  const { ServerResponse } = require("node:http");
  const { end } = ServerResponse.prototype;
  ServerResponse.prototype.end = function (...args) {
    note("answer", "");
    return end.apply(this, args);
  };
}
