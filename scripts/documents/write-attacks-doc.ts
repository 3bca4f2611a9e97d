// Writes the table of docs/attacks.md from the files of tests that try attacks, and what each tries. The text around it
// is written by hand. A test compares the two.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'
import { withParts } from './state-diagrams.ts'

const file = new URL('../../docs/attacks.md', import.meta.url)
const FOLDERS = ['apps/server/system/attacks', 'apps/agent/system/attacks']

/** The document with the attacks of every test in a folder `attacks`. Throws if a marker is missing. */
export const attacksDocument = (current: string): string => withParts('docs/attacks.md', current, { attacks: tables })

/** Every test that tries an attack. */
export function attackTests(): readonly { readonly path: string; readonly attacks: readonly string[] }[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(new URL(`../../${folder}`, import.meta.url))
      .filter((name) => name.endsWith('.test.ts'))
      .toSorted()
      .map((name) => ({ path: `${folder}/${name}`, attacks: attacksIn(`${folder}/${name}`) })),
  )
}

/** What the tests of each file try. */
const TRIED: Readonly<Record<string, string>> = {
  'audit-and-events':
    'forged actors, addresses and paths in the log; another organization’s events; changing, shaking off or flooding the log; re-chaining it with all rights on the database',
  'change-requests':
    'one approver counted twice, approvals by members who lost or gained a role, expired requests, a completion that differs from what was approved, races',
  destinations: 'accounts and wallets past an enforced allow-list, and an admin who edits it alone',
  erasure: 'erasing without the right, name, second factor or approval, twice at once, or another organization',
  'mail-and-reset':
    'learning who has an account; tokens guessed, reused, raced or meant for others; markup, links and lines in an email; forged hosts; floods; invitations above one’s role',
  operators:
    'smuggled requests, oversized headers, other protocols, spellings of paths and methods, pages of another origin, `/metrics` from outside, races for a quota, TLS handshakes that hang or are of old versions, requests that never finish',
  rpc: 'endpoints that redirect, never end, or answer with nonsense: the service keeps running, and settles nothing from them',
  'second-factors':
    'a stolen password without the factor, codes and challenges reused, raced or meant for others, removal by others',
  'secrets-and-data':
    'sealed values moved, changed or replaced in the database, values guessed from a dump, tokens forged with other keys and algorithms',
  'separation-of-duties':
    'approving one’s own change alone, with a key, by a reset password or a promoted member; completing it differently, early, twice or by others; lifting the rules; locking everybody out',
  'service-accounts':
    'a stolen secret for a session, for more secrets or for a decision; approving what one’s own account requested; another account, organization or network; a secret as key and a key as secret',
  'sso-mix-up': 'the code of an honest provider, to which a hostile one sends the browser on',
  sso: 'forged ID tokens, lying providers, stolen or planted parts of a sign-in, mix-up, issuers inside the network, claimed domains, passwords where single sign-on is required',
  'undeclared-fields': 'fields that no schema declares, named like what the service fills in itself',
  'agent-approvals':
    'forged and old approvals, one approval for several transactions, withdrawals that declare too little',
  'agent-chains': 'endpoints of another chain behind unavailable ones, and one that comes back as another chain',
  'agent-limits':
    'many small, parallel or opposite moves, restarts, a date set back, a deleted or old journal, gas drained, withdrawals that declare too little',
  'agent-peers':
    'hostile responses and actions of the service, endpoints of other chains or without end, a hostile signer',
  'agent-races':
    'the same transaction or operation issued several times at once, with other nonces, venues and operations',
  agent: 'bytes, venues, wallets and nonces that differ from what was approved, on EVM chains and Solana',
  'signed-approvals': 'rewriting what approvers signed, by the owner of the database',
}

function tables(): string {
  const files = attackTests()
  const count = files.reduce((sum, { attacks }) => sum + attacks.length, 0)
  const rows = files.map(({ path, attacks }) => {
    const name = /attacks\/(.*)\.test\.ts$/.exec(path)?.[1] ?? path
    const tried = TRIED[name]
    if (tried === undefined) throw new Error(`scripts/documents/write-attacks-doc.ts does not say what ${path} tries`)
    return `| [${title(name)}](../${path}) | ${attacks.length} | ${tried} |`
  })
  const table = ['| On | Tests | What is tried |', '|---|---:|---|', ...rows].join('\n')
  return `${count} tests, some with a table of variants.\n\n${table}`
}

const TITLES: Readonly<Record<string, string>> = {
  operators: 'Connections and ports',
  rpc: 'RPC',
  sso: 'SSO',
  'sso-mix-up': 'SSO mix-up',
}

const title = (name: string) => TITLES[name] ?? name.replaceAll('-', ' ').replace(/^./, (first) => first.toUpperCase())

/** The names of a file's tests, from its syntax: none of it runs. A table of variants is counted only once. */
function attacksIn(path: string): string[] {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  const attacks: string[] = []
  new Visitor({
    CallExpression({ callee, arguments: given }) {
      const { start, end } = callee.type === 'CallExpression' ? callee.callee : callee
      const name = nameOf(given[0])
      if (name !== undefined && /^test(\.(each|concurrent))?$/.test(text.slice(start, end))) attacks.push(name)
    },
  }).visit(parseSync(path, text).program)
  return attacks
}

/** The text of a literal; what a template or a table fills in becomes `…`. */
function nameOf(given: { readonly type: string } | undefined): string | undefined {
  const node = given as
    | { type: 'Literal'; value: unknown }
    | { type: 'TemplateLiteral'; quasis: readonly { value: { raw: string } }[] }
    | undefined
  const text =
    node?.type === 'Literal' && typeof node.value === 'string'
      ? node.value
      : node?.type === 'TemplateLiteral'
        ? node.quasis.map(({ value }) => value.raw).join('…')
        : undefined
  return text?.replaceAll(/%[sidjo]|\$\w+/g, '…')
}

if (import.meta.main) writeFileSync(file, attacksDocument(readFileSync(file, 'utf8')))
