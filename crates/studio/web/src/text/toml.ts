/** Colours of TOML: heads, keys (also in inline tables), strings over several lines, numbers, flags, comments. */
import { HighlightStyle, StreamLanguage, type StreamParser } from "@codemirror/language";
import { tags } from "@lezer/highlight";

interface State {
  /** Inline tables "{" and lists "[" that are open. */
  open: string;
  /** The mark that ends a string of several lines. */
  text: string;
  /** A value comes next, not a key. */
  value: boolean;
}

const parser: StreamParser<State> = {
  name: "toml",
  startState: () => ({ open: "", text: "", value: false }),
  copyState: (state) => ({ ...state }),
  token(stream, state) {
    if (state.text) {
      if (stream.skipTo(state.text)) {
        stream.match(state.text);
        state.text = "";
      } else stream.skipToEnd();
      return "string";
    }
    if (stream.sol() && state.open === "") state.value = false;
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return "comment";
    if (!state.value && state.open === "" && stream.match(/^\[\[?[^\]]*\]?\]?/)) return "heading";
    if (!state.value) {
      if (stream.match(/^("[^"]*"|'[^']*'|[\w-]+)/)) return "propertyName";
      const c = stream.next();
      if (c === "=") state.value = true;
      if (c === "}") close(state);
      return "punctuation";
    }
    const long = stream.match(/^("""|''')/) as RegExpMatchArray | null;
    if (long) {
      state.text = long[0];
      return "string";
    }
    if (stream.match(/^"(\\.|[^"\\])*"?/) || stream.match(/^'[^']*'?/)) return "string";
    if (stream.match(/^(true|false)\b/)) return "bool";
    if (stream.match(/^[-+]?(\d[\d_]*\.?[\d_]*(e[-+]?\d+)?|inf|nan)/i)) return "number";
    const c = stream.next();
    if (c === "[" || c === "{") {
      state.open += c;
      state.value = c === "[";
    } else if (c === "]" || c === "}") close(state);
    else if (c === ",") state.value = state.open.endsWith("[");
    return "punctuation";
  },
  languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["[", "{", '"'] } },
};

function close(state: State) {
  state.open = state.open.slice(0, -1);
  state.value = true;
}

export const toml = StreamLanguage.define(parser);

/** In the colours of the page, which differ in its two themes. */
export const colors = HighlightStyle.define([
  { tag: tags.heading, color: "var(--accent)", fontWeight: "700" },
  { tag: tags.propertyName, color: "var(--series-1)" },
  { tag: tags.string, color: "var(--series-4)" },
  { tag: tags.number, color: "var(--series-2)" },
  { tag: tags.bool, color: "var(--series-3)" },
  { tag: tags.comment, color: "var(--ink-dim)", fontStyle: "italic" },
  { tag: tags.punctuation, color: "var(--ink-dim)" },
]);
