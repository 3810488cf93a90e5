/**
 * Scene text in TOML → where its tables and keys are, and what is being written at its end. It reads text that is not finished: what
 * cannot be read is skipped to the next line. Items of lists have their index as a step of their path.
 */

/** A head such as [bodies.load]. */
export interface Head {
  path: string[];
  from: number;
  to: number;
}

/** A key with its value; `end` is where the value ends. */
export interface Key {
  path: string[];
  from: number;
  to: number;
  end: number;
}

/** What a text that ends here is about to say: `word` is what is written of it, from `from` on. */
export type Place =
  /** Nothing that could be completed: a comment, or the end of a value. */
  | { kind: "nothing" }
  | { kind: "head"; path: string[]; word: string; from: number }
  | { kind: "key"; path: string[]; word: string; from: number }
  | { kind: "value"; path: string[]; word: string; from: number; quoted: boolean };

export interface Outline {
  heads: Head[];
  keys: Key[];
  /** At the end of the text. */
  place: Place;
}

/** An inline table or a list that is open. */
interface Open {
  list: boolean;
  path: string[];
  /** Items of a list so far. */
  count: number;
  /** The key it is the value of. */
  key: Key | null;
}

const BARE = /[A-Za-z0-9_-]/;
/** A line that can only be a head: then what was open before was never closed. */
const HEAD_LINE = /^\[{1,2}\s*[A-Za-z"'][^[\]=,]*\]{1,2}\s*(#.*)?$/;

export function outline(text: string): Outline {
  return new Reader(text).read();
}

class Reader {
  private at = 0;
  private heads: Head[] = [];
  private keys: Key[] = [];
  private table: string[] = [];
  /** How many [[tables]] there are of a path. */
  private items = new Map<string, number>();
  private open: Open[] = [];
  private place: Place = { kind: "key", path: [], word: "", from: 0 };

  constructor(private text: string) {}

  read(): Outline {
    while (this.at < this.text.length) {
      const before = this.at;
      if (this.open.length > 0) this.item();
      else this.line();
      if (this.at === before) this.at += 1;
    }
    for (const { key } of this.open) if (key) key.end = this.text.length;
    return { heads: this.heads, keys: this.keys, place: this.place };
  }

  /** The beginning of a line outside of all values. */
  private line() {
    this.spaces(true);
    this.expectKey(this.table);
    if (this.ended() || this.comment()) return;
    if (this.text[this.at] === "[") this.head();
    else this.pair(this.table);
    // what follows a value on its line is not read, unless something was opened
    if (this.open.length === 0) this.restOfLine();
  }

  private head() {
    const from = this.at;
    const list = this.text.startsWith("[[", from);
    this.at += list ? 2 : 1;
    const { path, word, wordFrom } = this.dotted();
    this.place = { kind: "head", path, word, from: wordFrom };
    const full = word === "" ? path : [...path, word];
    while (this.text[this.at] === "]") this.at += 1;
    if (full.length === 0) return;
    this.table = this.resolved(full, list);
    this.heads.push({ path: this.table, from, to: this.at });
  }

  /** The path of a head, with the index of the newest item where it names a list of tables. */
  private resolved(path: string[], list: boolean): string[] {
    const out: string[] = [];
    path.forEach((step, i) => {
      out.push(step);
      const name = out.join("\0");
      const last = i === path.length - 1;
      if (last && list) this.items.set(name, (this.items.get(name) ?? 0) + 1);
      const count = this.items.get(name);
      if (count !== undefined) out.push(String(count - 1));
    });
    return out;
  }

  /** A key and what follows it, up to its value or the opening of it. */
  private pair(table: string[]) {
    const from = this.at;
    const { path, word, wordFrom } = this.dotted();
    this.place = { kind: "key", path: [...table, ...path], word, from: wordFrom };
    if (word === "") return;
    const key: Key = { path: [...table, ...path, word], from, to: this.at, end: this.at };
    this.spaces(false);
    if (this.text[this.at] !== "=") return;
    this.at += 1;
    this.keys.push(key);
    this.value(key.path, key);
  }

  private value(path: string[], key: Key | null) {
    this.spaces(false);
    const from = this.at;
    const c = this.text[from];
    this.place = { kind: "value", path, word: "", from, quoted: false };
    if (c === "{" || c === "[") {
      this.at += 1;
      const list = c === "[";
      this.open.push({ list, path, count: 0, key });
      this.spaces(true);
      if (list) this.place = { kind: "value", path: [...path, "0"], word: "", from: this.at, quoted: false };
      else this.expectKey(path);
      return;
    }
    if (c === '"' || c === "'") {
      const closed = this.quoted();
      const word = this.text.slice(from + 1, closed ? this.at - 1 : this.at);
      this.place = { kind: "value", path, word, from: from + 1, quoted: true };
      if (closed && this.ended()) this.place = { kind: "nothing" };
    } else {
      const stops = this.open.length > 0 ? /[,\]}#\n]/ : /[#\n]/;
      while (!this.ended() && !stops.test(this.text[this.at]!)) this.at += 1;
      const word = this.text.slice(from, this.at).trimEnd();
      this.place = { kind: "value", path, word, from, quoted: false };
    }
    if (key) key.end = from + this.text.slice(from, this.at).trimEnd().length;
  }

  /** Within a list or an inline table: its next item or key, a comma, or its end. */
  private item() {
    this.spaces(true);
    if (this.ended() || this.comment()) return;
    const top = this.open[this.open.length - 1]!;
    if (this.atHead()) return this.closeAll();
    const c = this.text[this.at]!;
    if (c === "]" || c === "}") {
      this.at += 1;
      this.open.pop();
      if (top.key) top.key.end = this.at;
      this.place = { kind: "nothing" };
      if (this.open.length === 0) this.restOfLine();
    } else if (c === ",") {
      this.at += 1;
      if (top.list) top.count += 1;
      this.spaces(true);
      if (top.list) this.place = { kind: "value", path: [...top.path, String(top.count)], word: "", from: this.at, quoted: false };
      else this.expectKey(top.path);
    } else if (top.list) this.value([...top.path, String(top.count)], null);
    else this.pair(top.path);
  }

  /** Whether a head begins here at the start of a line: then nothing is open, whatever was not closed. */
  private atHead(): boolean {
    const start = this.text.lastIndexOf("\n", this.at - 1) + 1;
    if (this.text.slice(start, this.at).trim() !== "") return false;
    const end = this.text.indexOf("\n", this.at);
    return HEAD_LINE.test(this.text.slice(this.at, end < 0 ? undefined : end));
  }

  private closeAll() {
    for (const { key } of this.open) if (key) key.end = this.at;
    this.open = [];
    this.head();
    this.restOfLine();
  }

  /** Steps of a dotted key: all but the last, and the last as far as it is written. */
  private dotted(): { path: string[]; word: string; wordFrom: number } {
    const path: string[] = [];
    for (;;) {
      this.spaces(false);
      const wordFrom = this.at;
      let word = "";
      const c = this.text[this.at];
      if (c === '"' || c === "'") {
        const closed = this.quoted();
        word = this.text.slice(wordFrom + 1, closed ? this.at - 1 : this.at);
      } else {
        while (!this.ended() && BARE.test(this.text[this.at]!)) this.at += 1;
        word = this.text.slice(wordFrom, this.at);
      }
      const after = this.at;
      this.spaces(false);
      if (this.text[this.at] !== ".") {
        this.at = after;
        return { path, word, wordFrom };
      }
      this.at += 1;
      path.push(word);
    }
  }

  /** Reads a string; false if it does not end. */
  private quoted(): boolean {
    const quote = this.text[this.at]!;
    const long = this.text.startsWith(quote.repeat(3), this.at);
    const mark = long ? quote.repeat(3) : quote;
    this.at += mark.length;
    while (!this.ended()) {
      if (this.text.startsWith(mark, this.at)) {
        this.at += mark.length;
        return true;
      }
      if (!long && this.text[this.at] === "\n") return false;
      this.at += quote === '"' && this.text[this.at] === "\\" ? 2 : 1;
    }
    this.at = Math.min(this.at, this.text.length);
    return false;
  }

  private expectKey(path: string[]) {
    this.place = { kind: "key", path, word: "", from: this.at };
  }

  private spaces(lines: boolean) {
    while (!this.ended() && (lines ? /\s/ : /[ \t]/).test(this.text[this.at]!)) this.at += 1;
  }

  private comment(): boolean {
    if (this.text[this.at] !== "#") return false;
    while (!this.ended() && this.text[this.at] !== "\n") this.at += 1;
    if (this.ended()) this.place = { kind: "nothing" };
    return true;
  }

  /** Skips to the next line, over a comment too. */
  private restOfLine() {
    while (!this.ended() && this.text[this.at] !== "\n") {
      if (this.text[this.at] === "#") {
        this.comment();
        return;
      }
      this.at += 1;
      if (this.ended()) this.place = { kind: "nothing" };
    }
  }

  private ended(): boolean {
    return this.at >= this.text.length;
  }
}

/** The path of what stands at a place: of the innermost key whose value it is in, else of the table. */
export function pathAt({ heads, keys }: Outline, at: number): string[] {
  const within = keys.filter((key) => key.from <= at && at <= key.end);
  if (within.length > 0) return within.reduce((a, b) => (b.path.length >= a.path.length ? b : a)).path;
  return heads.findLast((head) => head.from <= at)?.path ?? [];
}

export interface Span {
  from: number;
  to: number;
}

/** Where an entry such as bodies.load is written: its tables with what they contain, or its keys. */
export function spansOf({ heads, keys }: Outline, entry: string[], text: string): Span[] {
  const belongs = (path: string[]) => entry.every((step, i) => path[i] === step);
  const spans: Span[] = [];
  heads.forEach((head, i) => {
    if (!belongs(head.path)) return;
    const to = endOf(text, head.to, heads[i + 1]?.from ?? text.length);
    const last = spans[spans.length - 1];
    if (last && i > 0 && belongs(heads[i - 1]!.path)) last.to = to;
    else spans.push({ from: head.from, to });
  });
  if (spans.length > 0) return spans;
  return keys.filter((key) => belongs(key.path) && !keys.some((k) => k !== key && belongs(k.path) && k.from <= key.from && k.end >= key.end)).map((key) => ({ from: key.from, to: key.end }));
}

/** The end of a table's last line that says something: comments before the next head belong to that. */
function endOf(text: string, from: number, to: number): number {
  const lines = text.slice(from, to).split("\n");
  while (lines.length > 1 && /^\s*(#.*)?$/.test(lines[lines.length - 1]!)) lines.pop();
  return from + lines.join("\n").length;
}
