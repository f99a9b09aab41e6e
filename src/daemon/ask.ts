/** Our own HTTP request to the daemon, with limits on time and size; it ignores proxy variables. */
import { type RequestOptions, request } from "node:http";

export type Answer = { readonly text: string } | { readonly silent: string; readonly isVacant: boolean };

/** Room for what was seen of one host's sessions. */
const ANSWER_CHARS_MAX = 4_000_000;

export interface Asked {
  readonly port: number;
  readonly path: string;
  readonly timeoutMs: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent by POST if present. */
  readonly body?: string;
}

export function ask({ port, path, timeoutMs, headers = {}, body }: Asked): Promise<Answer> {
  const method = body === undefined ? "GET" : "POST";
  const options: RequestOptions = { host: "127.0.0.1", port, path, method, headers: { ...headers }, agent: false };
  return new Promise((resolve) => {
    const asking = request(options, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
        // Another program on the port may send without end.
        if (text.length > ANSWER_CHARS_MAX) response.destroy();
      });
      response.on("error", () => response.destroy());
      response.on("close", () => resolve({ text }));
    });
    const deadline = setTimeout(() => asking.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    asking.on("error", (error: NodeJS.ErrnoException) => {
      resolve({ silent: error.message, isVacant: error.code === "ECONNREFUSED" });
    });
    asking.on("close", () => clearTimeout(deadline));
    asking.end(body);
  });
}
