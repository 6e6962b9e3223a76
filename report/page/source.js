/* The text of a test, line by line, and its scope tree. */

const TOKEN = new RegExp ([
  /(?<comment>\(\*[^]*?\*\)|\/\/[^\n]*|\/\*[^]*?\*\/|"[^"\n]*")/,
  /(?<remote>\b\w+_remote\b)/,
  /(?<order>\bmemory_(?:order|scope)_\w+)/,
  /(?<call>\b(?:atomic_\w+|(?:work_group_)?barrier)(?=\s*\())/,
  /(?<word>\b(?:scopeTree|exists|forall|locations|filter|device|kernel|work_group|sub_group|global|local|if|else|while|do|for)\b)/
].map (part => part.source).join ("|"), "g");

/* Of models; comments and strings are those of tests. */
const CAT_TOKEN = new RegExp ([
  /(?<comment>\(\*[^]*?\*\)|\/\/[^\n]*|"[^"\n]*")/,
  /(?<call>~?\s*\b(?:acyclic|irreflexive|empty)\b|\b(?:undefined_unless|requires|flag|assert|warn_unless)\b)/,
  /(?<word>\b(?:let|rec|and|as|in|fun|include|show|unshow|procedure|call|enum|forall|foreach|with|from|do|if|then|else|end|match|begin|try|instructions|default|events|when|not|variant)\b)/
].map (part => part.source).join ("|"), "g");

/* Lines of the text, each a list of text and spans. */
function linesOf (text, token)
{
  const lines = [[]];
  const add = (part, kind) => part.split ("\n").forEach ((line, i) => {
    if (i)
      lines.push ([]);
    if (line)
      lines.at (-1).push (kind ? element ("span", { class: `token-${kind}` }, line) : line);
  });
  let end = 0;
  for (const match of text.matchAll (token))
    {
      add (text.slice (end, match.index));
      add (match[0], Object.keys (match.groups).find (kind => match.groups[kind] !== undefined));
      end = match.index + match[0].length;
    }
  add (text.slice (end));
  return lines;
}

/* marked: number of a line (from 1) → why. */
function sourceView (text, marked, token = TOKEN)
{
  const code = element ("code", null);
  linesOf (text.replace (/\r\n?/g, "\n").replace (/\n$/, ""), token).forEach ((line, i) => {
    const why = marked.get (i + 1);
    code.append (element ("span", { class: why ? "line marked" : "line", "data-why": why }, ...line), "\n");
  });
  return element ("pre", { class: "source", tabindex: "0" }, code);
}

/* "(device (work_group P0 P1))" as nested lists. */
function scopeView (text)
{
  const words = text.match (/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const list = () => {
    const items = element ("ul", { class: "scopes" });
    while (at < words.length && words[at] !== ")")
      if (words[at] === "(")
        {
          const level = words[at + 1];
          at += 2;
          items.append (element ("li", { class: `scope ${level}` }, element ("span", { class: "level" }, level.replace ("_", "-")), list ()));
          at++;
        }
      else
        items.append (element ("li", { class: "thread" }, words[at++]));
    return items;
  };
  return list ();
}
