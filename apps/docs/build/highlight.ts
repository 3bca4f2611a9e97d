/** Each language's tokens, first match wins: [class, pattern]. */
type Grammar = readonly (readonly [name: string, pattern: RegExp])[]

const STRINGS = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`/
const NUMBER = /\b\d[\d_]*(?:\.\d+)?n?\b/

const SHELL: Grammar = [
  ['comment', /(?<=^|\s)#.*$/m],
  ['string', /"(?:\\.|[^"\\])*"|'[^']*'/],
  ['variable', /\$\{?\w+\}?|(?<=^|\s)[A-Z][A-Z0-9_]+(?==)/m],
  ['keyword', /\b(?:if|then|else|fi|for|in|do|done|until|while|local|export|function)\b/],
  ['option', /(?<=\s)--?[\w-]+/],
]
const SCRIPT: Grammar = [
  ['comment', /\/\/.*$|\/\*[\s\S]*?\*\//m],
  ['string', STRINGS],
  [
    'keyword',
    /\b(?:async|await|break|case|catch|class|const|continue|default|do|else|export|extends|finally|for|from|function|if|import|in|instanceof|interface|let|new|of|return|satisfies|switch|throw|try|type|typeof|while|yield|true|false|null|undefined)\b/,
  ],
  ['number', NUMBER],
]
const JSON_: Grammar = [
  ['comment', /\/\/.*$/m],
  ['key', /"(?:\\.|[^"\\])*"(?=\s*:)/],
  ['string', /"(?:\\.|[^"\\])*"/],
  ['keyword', /\b(?:true|false|null)\b/],
  ['number', /-?\b\d+(?:\.\d+)?\b/],
]
const SQL: Grammar = [
  ['comment', /--.*$/m],
  ['string', /'[^']*'/],
  [
    'keyword',
    /\b(?:alter|and|as|asc|by|cascade|create|delete|desc|drop|from|group|insert|into|is|join|limit|not|null|on|or|order|role|schema|select|set|table|update|values|where)\b/i,
  ],
  ['number', NUMBER],
]
const CONFIGURATION: Grammar = [
  ['comment', /#.*$/m],
  ['key', /(?<=^\s*(?:- )?)[\w.-]+(?=:)/m],
  ['string', /"(?:\\.|[^"\\])*"|'[^']*'/],
  ['number', NUMBER],
]

const GRAMMARS: Readonly<Record<string, Grammar>> = {
  bash: SHELL,
  sh: SHELL,
  shell: SHELL,
  js: SCRIPT,
  mjs: SCRIPT,
  ts: SCRIPT,
  typescript: SCRIPT,
  json: JSON_,
  jsonc: JSON_,
  sql: SQL,
  yaml: CONFIGURATION,
  yml: CONFIGURATION,
  ini: CONFIGURATION,
}

/** The code as HTML, with a class around each token of a known language. */
export function highlight(code: string, language: string): string {
  const grammar = GRAMMARS[language]
  if (grammar === undefined) return escapeHtml(code)
  const flags = [...new Set(['g', 'm', ...grammar.flatMap(([, { flags }]) => [...flags])])].join('')
  const all = new RegExp(grammar.map(([name, { source }]) => `(?<${name}>${source})`).join('|'), flags)
  let html = ''
  let end = 0
  for (const match of code.matchAll(all)) {
    const [name] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? []
    html += `${escapeHtml(code.slice(end, match.index))}<span class="${name}">${escapeHtml(match[0])}</span>`
    end = match.index + match[0].length
  }
  return html + escapeHtml(code.slice(end))
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
