// Sends requests to the server over one socket and gives their answers. The format is that of server/frames.py.
import type { Failure, NumberArray } from "./types";

export interface Answer<T> {
  data: T;
  arrays: NumberArray[];
}

export interface Route {
  /** The model file whose process answers. */
  model?: string;
  /** The process beside the runs answers. */
  aside?: boolean;
  signal?: AbortSignal;
  news?: (data: Record<string, unknown>) => void;
}

/** A request failed; `failure` says why. */
export class RequestError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }

  get isCanceled(): boolean {
    return this.failure.kind === "canceled";
  }
}

interface Waiting {
  resolve: (answer: Answer<unknown>) => void;
  reject: (error: RequestError) => void;
  news: ((data: Record<string, unknown>) => void) | undefined;
}

const RESULT = 0, NEWS = 2;
const KINDS = { f8: Float64Array, f4: Float32Array, u1: Uint8Array };

/** The connection to the server that sent the page. */
export class Connection {
  private socket: WebSocket | null = null;
  private latest = 0;
  private waiting = new Map<number, Waiting>();

  constructor(private readonly onState: (isOpen: boolean) => void) {}

  /** Connects; resolves when requests can be sent. */
  open(): Promise<void> {
    const address = new URL("socket", location.href);
    address.protocol = "ws:";
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    socket.addEventListener("message", (event: MessageEvent<ArrayBuffer>) => this.take(event.data));
    socket.addEventListener("close", () => this.closed());
    this.socket = socket;
    return new Promise((resolve, reject) => {
      socket.addEventListener("open", () => {
        this.onState(true);
        resolve();
      });
      socket.addEventListener("error", () => reject(new Error("the server does not answer")));
    });
  }

  /** Sends a request. Rejects with a RequestError. */
  ask<T>(call: string, given: Record<string, unknown> = {}, route: Route = {}): Promise<Answer<T>> {
    const id = ++this.latest;
    return new Promise<Answer<T>>((resolve, reject) => {
      if (this.socket?.readyState !== WebSocket.OPEN || route.signal?.aborted) {
        reject(new RequestError(failure(route.signal?.aborted ? "canceled" : "ended", "the server has stopped")));
        return;
      }
      this.waiting.set(id, { resolve: resolve as (answer: Answer<unknown>) => void, reject, news: route.news });
      route.signal?.addEventListener("abort", () => this.socket?.send(JSON.stringify({ id, call: "cancel" })));
      this.socket.send(JSON.stringify({ id, call, given, model: route.model ?? "", aside: route.aside ?? false }));
    });
  }

  private take(buffer: ArrayBuffer): void {
    const view = new DataView(buffer);
    const id = view.getUint32(0, true), kind = view.getUint32(4, true);
    const waiting = this.waiting.get(id);
    if (!waiting) return;
    const answer = decoded(buffer, 8);
    if (kind === NEWS) {
      waiting.news?.(answer.data as Record<string, unknown>);
      return;
    }
    this.waiting.delete(id);
    if (kind === RESULT) waiting.resolve(answer);
    else waiting.reject(new RequestError(answer.data as Failure));
  }

  private closed(): void {
    for (const { reject } of this.waiting.values()) reject(new RequestError(failure("ended", "the server has stopped")));
    this.waiting.clear();
    this.onState(false);
  }
}

function failure(kind: Failure["kind"], message: string): Failure {
  return { kind, code: "", message, hint: "", text: message };
}

interface Header {
  arrays: { kind: keyof typeof KINDS; length: number }[];
}

/** The message that starts at this byte, a multiple of 8. */
export function decoded(buffer: ArrayBuffer, start: number): Answer<unknown> {
  const length = new DataView(buffer).getUint32(start, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, start + 4, length))) as Header;
  let at = start + 4 + length;
  const arrays = header.arrays.map(({ kind, length: size }) => {
    const numbers = new KINDS[kind](buffer, at, size);
    at += Math.ceil(numbers.byteLength / 8) * 8;
    return numbers;
  });
  return { data: header, arrays };
}
