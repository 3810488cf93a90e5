/**
 * The editor of the scene text: CodeMirror with colours, completion and help from the schema, problems at their lines, and a mark
 * beside the entry that is selected. It is a chunk of its own, loaded when the text panel is first opened.
 */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, snippetCompletion, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, redo, redoDepth, undo, undoDepth } from "@codemirror/commands";
import { bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorState, StateEffect, StateField, Transaction } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers, type DecorationSet, type Tooltip } from "@codemirror/view";
import type { Schema } from "../build/fields";
import type { Problem } from "../protocol";
import { change } from "./change";
import { outline, pathAt, spansOf, type Outline } from "./outline";
import { meaningAt, suggestions, type Meaning, type Suggestion } from "./suggest";
import { colors, toml } from "./toml";

export interface EditorCalls {
  schema: () => Schema | null;
  /** The text was changed by hand. */
  typed: (text: string) => void;
  /** The cursor was put at the path of something. */
  pointed: (path: string[]) => void;
  apply: () => void;
  save: () => void;
  /** Nothing is left to undo or to redo here. */
  undo: () => void;
  redo: () => void;
}

/** Changes that come from the scene and not from the keyboard. */
const outside = Annotation.define<boolean>();
/** The outline of the text, made once for each text. */
const seen = StateField.define<Outline>({
  create: (state) => outline(state.doc.toString()),
  update: (value, transaction) => (transaction.docChanged ? outline(transaction.newDoc.toString()) : value),
});

/** The entry that is selected, and its lines. */
interface Mark {
  entry: string[] | null;
  lines: DecorationSet;
}
const setEntry = StateEffect.define<string[] | null>();

const marks = StateField.define<Mark>({
  create: () => ({ entry: null, lines: Decoration.none }),
  update(value, transaction) {
    const set = transaction.effects.find((effect) => effect.is(setEntry));
    if (!set && !transaction.docChanged) return value;
    const entry = set ? set.value : value.entry;
    return { entry, lines: entry ? linesOf(transaction.state, entry) : Decoration.none };
  },
  provide: (field) => EditorView.decorations.from(field, (mark) => mark.lines),
});

function linesOf(state: EditorState, entry: string[]): DecorationSet {
  const { doc } = state;
  const numbers = new Set<number>();
  for (const { from, to } of spansOf(state.field(seen), entry, doc.toString())) {
    for (let n = doc.lineAt(from).number; n <= doc.lineAt(to).number; n++) numbers.add(n);
  }
  return Decoration.set([...numbers].sort((a, b) => a - b).map((n) => Decoration.line({ class: "cm-chosen" }).range(doc.line(n).from)));
}

export class TextEditor {
  private view: EditorView;
  private past = new Compartment();

  constructor(host: HTMLElement, text: string, private calls: EditorCalls) {
    const { typed, pointed } = calls;
    const listener = EditorView.updateListener.of((update) => {
      if (update.transactions.some((t) => t.annotation(outside))) return;
      if (update.docChanged) typed(update.state.doc.toString());
      if (update.selectionSet || update.docChanged) pointed(pathAt(update.state.field(seen), update.state.selection.main.head));
    });
    this.view = new EditorView({
      parent: host,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          lintGutter(),
          this.past.of(history()),
          seen,
          marks,
          drawSelection(),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          highlightSelectionMatches(),
          indentUnit.of("  "),
          toml,
          syntaxHighlighting(colors),
          autocompletion({ override: [(context) => complete(context, calls.schema())], icons: false }),
          hoverTooltip((view, at) => help(view, at, calls.schema())),
          // before the editor's own keys: what it has left to undo comes first, then the scene; Tab goes on to the next control
          keymap.of([
            { key: "Mod-Enter", preventDefault: true, run: () => (calls.apply(), true) },
            { key: "Mod-s", preventDefault: true, stopPropagation: true, run: () => (calls.save(), true) },
            { key: "Mod-z", preventDefault: true, run: () => this.undo() },
            { key: "Mod-y", preventDefault: true, run: () => this.redo() },
            { key: "Mod-Shift-z", preventDefault: true, run: () => this.redo() },
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...searchKeymap,
            ...historyKeymap,
            ...defaultKeymap,
          ]),
          EditorView.contentAttributes.of({ "aria-label": "Scene text in TOML", spellcheck: "false", tabindex: "0" }),
          look,
          listener,
        ],
      }),
    });
  }

  private undo(): boolean {
    if (undoDepth(this.view.state) > 0) undo(this.view);
    else this.calls.undo();
    return true;
  }

  private redo(): boolean {
    if (redoDepth(this.view.state) > 0) redo(this.view);
    else this.calls.redo();
    return true;
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Replaces the text as typing does, so that it can be undone. */
  replace(text: string) {
    const changes = change(this.text, text);
    if (changes) this.view.dispatch({ changes });
  }

  /** Shows another text; the cursor stays at what it was at. What was typed before cannot be undone here any more. */
  show(text: string) {
    const changes = change(this.text, text);
    if (changes) this.view.dispatch({ changes, annotations: [outside.of(true), Transaction.addToHistory.of(false)] });
    this.forget();
  }

  /** The scene has this text now: from here on, undo is that of the scene. */
  forget() {
    if (undoDepth(this.view.state) + redoDepth(this.view.state) === 0) return;
    this.view.dispatch({ effects: this.past.reconfigure([]), annotations: outside.of(true) });
    this.view.dispatch({ effects: this.past.reconfigure(history()), annotations: outside.of(true) });
  }

  /** Marks the problems at their lines, each from its column to the end of what stands there. */
  problems(problems: Problem[]) {
    const { doc } = this.view.state;
    const diagnostics = problems.map((p): Diagnostic => {
      const line = doc.line(Math.min(doc.lines, Math.max(1, p.line)));
      const from = Math.min(line.to, line.from + offsetOf(line.text, p.column));
      const rest = /^("[^"]*"?|[\w.-]+|\[[^\]]*\]?|\S+)/.exec(line.text.slice(from - line.from))?.[0].length ?? 0;
      return { from: rest > 0 ? from : line.from, to: rest > 0 ? from + rest : line.to, severity: "error", message: p.help ? `${p.message}\n${p.help}` : p.message };
    });
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  /** Puts the cursor at a line and column, counted from 1. */
  goTo(line: number, column: number) {
    const at = this.view.state.doc.line(Math.min(this.view.state.doc.lines, Math.max(1, line)));
    const anchor = Math.min(at.to, at.from + offsetOf(at.text, column));
    this.view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.view.focus();
  }

  /** Marks an entry such as bodies.load, and scrolls to it if it is out of sight; none takes the mark away. */
  mark(entry: string[] | null, scroll: boolean) {
    const first = entry && spansOf(this.view.state.field(seen), entry, this.text)[0];
    const effects: StateEffect<unknown>[] = [setEntry.of(entry)];
    if (scroll && first) effects.push(EditorView.scrollIntoView(first.from, { y: "start", yMargin: 40 }));
    this.view.dispatch({ effects, annotations: outside.of(true) });
  }

  destroy() {
    this.view.destroy();
  }
}

/** Columns count characters, texts are indexed by UTF-16 units. */
function offsetOf(line: string, column: number): number {
  return [...line].slice(0, column - 1).join("").length;
}

function complete(context: CompletionContext, schema: Schema | null): CompletionResult | null {
  if (!schema) return null;
  const { place } = outline(context.state.sliceDoc(0, context.pos));
  if (place.kind === "nothing" || place.from + place.word.length !== context.pos) return null;
  // unasked only once a letter, a quote or a bracket is written
  if (!context.explicit && place.word === "" && !(place.kind === "value" && place.quoted) && place.kind !== "head") return null;
  const options = suggestions(schema, place, context.state.field(seen)).map(option);
  return options.length === 0 ? null : { from: place.from, options, validFor: place.kind === "value" ? /^[^"',\]}\n]*$/ : /^[\w-]*$/ };
}

function option({ label, insert, detail, about, kind }: Suggestion): Completion {
  const base = { label, detail, type: kind, ...(about ? { info: about } : {}) };
  return insert.includes("#{}") ? snippetCompletion(insert, base) : { ...base, apply: insert };
}

/** What the key under the pointer means. */
function help(view: EditorView, at: number, schema: Schema | null): Tooltip | null {
  if (!schema) return null;
  const { heads, keys } = view.state.field(seen);
  const over = [...keys, ...heads].find((e) => e.from <= at && at <= e.to);
  const meaning = over && meaningAt(schema, over.path);
  if (!meaning || !(meaning.about || meaning.unit || meaning.choices.length)) return null;
  return { pos: over.from, end: over.to, above: true, create: () => ({ dom: card(meaning) }) };
}

function card(meaning: Meaning): HTMLElement {
  const dom = document.createElement("div");
  dom.className = "cm-help";
  const line = (tag: string, text: string) => {
    const element = document.createElement(tag);
    element.textContent = text;
    dom.append(element);
  };
  line("b", meaning.unit ? `${meaning.title} [${meaning.unit}]` : meaning.title);
  if (meaning.about) line("p", meaning.about);
  if (meaning.choices.length > 0) line("p", `One of ${meaning.choices.map((c) => `“${c}”`).join(", ")}.`);
  if (meaning.standard) line("small", `Default: ${meaning.standard}`);
  return dom;
}

/** Sizes and colours of the page. */
const look = EditorView.theme({
  "&": { height: "100%", flex: "1", minWidth: "0", fontSize: "0.92rem", backgroundColor: "var(--surface)", color: "var(--ink)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: 'ui-monospace, "DejaVu Sans Mono", monospace', lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "var(--surface-2)", color: "var(--ink-dim)", borderRight: "1px solid var(--line)" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--ink) 6%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--accent) 30%, transparent)" },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--warn) 22%, transparent)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "color-mix(in srgb, var(--accent) 25%, transparent)" },
  ".cm-chosen": { boxShadow: "inset 3px 0 var(--accent)", backgroundColor: "var(--accent-soft)" },
  ".cm-tooltip": { backgroundColor: "var(--surface)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "0.5rem", boxShadow: "var(--shadow)", maxWidth: "34rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "inherit", maxHeight: "16rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.15rem 0.6rem" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent-soft)", color: "var(--ink)" },
  ".cm-completionDetail": { color: "var(--ink-dim)", fontStyle: "normal" },
  ".cm-tooltip.cm-completionInfo": { padding: "0.5rem 0.7rem", maxWidth: "22rem" },
  ".cm-panels": { backgroundColor: "var(--surface-2)", color: "var(--ink)" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap", padding: "0.4rem 0.7rem" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  ".cm-help": { padding: "0.5rem 0.8rem" },
  ".cm-help p": { margin: "0.2rem 0" },
});
