import { expect, test } from 'vitest'
import { parseSource, type SourceFile, serverSource } from '../testing/source/source-tree.ts'
import { BLOCKCHAINS } from './chains/index.ts'

/** Where chain families are known: the port, its adapters, and the adapters of protocols on one family. */
const KNOWING = [
  'chains/',
  'venues/evm/',
  'venues/svm/',
  'venues/aave-v3/',
  'venues/erc4626/',
  'venues/erc7540/',
  'venues/compound-v3/',
  'venues/cooldown-vault/',
  'venues/jupiter-lend/',
  'venues/kamino/',
  'venues/share-vault/',
]

/** Files outside that know a family, each with its reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'main/start/start-chains.ts': 'creates the adapter of each configured chain',
  'sandbox/assemble-chains.ts': 'creates the adapter of each embedded chain',
  'sandbox/control-node.ts': 'puts the faults of its family around each embedded chain',
  'sandbox/start-nodes.ts': 'starts the program of each embedded chain',
  'sandbox/treasury/evm-treasury.ts': 'spends the money of an embedded EVM chain',
  'sandbox/treasury/solana-treasury.ts': 'spends the money of the embedded Solana chain',
  'venues/facts/read-evm-risk-facts.ts': 'reads prices and code on EVM chains, for the protocols on them together',
  'venues/facts/read-svm-risk-facts.ts': 'reads prices and code on Solana, for the protocols on it together',
  'venues/venues-file/listed-venue.ts': 'says which chains have the kinds that a venue file may list',
  'venues/venues-file/read-listed-evm-contracts.ts': 'reads the contracts of an entry on an EVM chain',
  'venues/venues-file/read-listed-svm-contracts.ts': 'reads the accounts of an entry on Solana',
  'venues/venues-file/read-listed-venue.ts': 'reads the contracts of the kinds that a venue file may list',
}

/**
 * Files outside that name chains, each with its reason. A list of chains, or a branch on one, is a family under another
 * name, which somebody who adds a chain has to find.
 */
const NAMES_CHAINS: Readonly<Record<string, string>> = {
  'config.ts': 'has settings for each chain',
  'ramp/bridge/currencies-and-rails.ts': 'says of each chain whether the banking partner supports it',
  'venues/catalogue/live-jupiter-seeds.ts': 'lists contracts, each on its chain',
  'venues/catalogue/live-seeds.ts': 'lists contracts, each on its chain',
  'venues/catalogue/live-solana-seeds.ts': 'lists contracts, each on its chain',
  'venues/catalogue/test-seeds.ts': 'lists contracts, each on its chain',
}

/** Files in which `base` is no chain. */
const OTHER_BASES: Readonly<Record<string, string>> = {
  'kernel/log.ts': 'the fields of every log line',
  'surfaces/core/treasury/measured-yields.ts': 'the yield without rewards',
}

/** Files in which `family` is another thing. */
const OTHER_FAMILIES: Readonly<Record<string, string>> = {
  'webhooks/guard/guarded-agent.ts': 'the family of an IP address',
  'webhooks/guard/resolve-host.ts': 'the family of an IP address',
}

test('only the port, its adapters and protocols of one family know chain families', () => {
  const found = serverSource().flatMap((file) => (file.path in EXCEPTIONS ? [] : judge(file)))
  expect(found).toEqual([])
})

test('every exception still branches on a family, or uses the word in another sense', () => {
  const files = new Map(serverSource().map((file) => [file.path, file]))
  const stale = Object.keys(EXCEPTIONS).filter((path) => !files.has(path) || judge(files.get(path)!).length === 0)
  expect(stale).toEqual([])
  const unused = Object.keys(OTHER_FAMILIES).filter((path) => !files.get(path)?.text.includes('family'))
  expect(unused).toEqual([])
  const nameless = Object.keys({ ...NAMES_CHAINS, ...OTHER_BASES }).filter(
    (path) => !CHAIN_NAME.test(files.get(path)?.text ?? ''),
  )
  expect(nameless).toEqual([])
})

test('the rule finds a branch on a family, its name and its adapter', () => {
  const judged = (text: string) => judge(parseSource('operations/settlement/x.ts', text))
  for (const text of [
    "if (chain.network.family === 'other') pay()",
    "if (chain.network['family']) pay()",
    'const { family } = chain.network',
    'const { network: { family: kind } } = chain',
    'function pay({ family }: Network) {}',
    "const call = { kind: 'svm' }",
    'const byFamily = { evm: 0 }',
    "import { decodeUnsigned } from '../../chains/evm/transactions/decode-unsigned.ts'",
    "import { type Chain, type SvmChain } from '../../chains/index.ts'",
    "export { createSolanaChain } from '../../chains/index.ts'",
    "import { FAMILIES } from '../../chains/index.ts'",
    "if (wallet.blockchain === 'solana') pay()",
    "type EvmChainName = 'ethereum'",
    'const confirmations = { polygon: 64 }',
  ])
    expect(judged(text), text).toHaveLength(1)
  expect(judged("import { type Chain, matchesPlan } from '../../chains/index.ts'")).toEqual([])
  expect(judged("/** On 'evm' chains. */ const text = 'Bytes to sign: hex on EVM chains.'")).toEqual([])
  expect(judge(parseSource('chains/evm/x.ts', "const family = 'evm'"))).toEqual([])
  expect(judged("const CHAINS = ['ethereum', 'base']")).toHaveLength(2)
  expect(judge(parseSource('config.ts', "const chains = { ethereum: 'base' }"))).toEqual([])
})

const FAMILY = /^(evm|svm)$/
const isChain = (text: string) => BLOCKCHAINS.some((blockchain) => blockchain === text)
const CHAIN_NAME = new RegExp(`\\b(${BLOCKCHAINS.join('|')})\\b`)
/** Exports of chains/index.ts that belong to one family. */
const OF_ONE_FAMILY = /^(as|create|require)?(Evm|Svm|Solana|evm|svm|solana)|^(EVM|SVM|SOLANA)_|^FAMILIES$/

/** What a file knows of families, as sentences. */
function judge({ path, imports, visit }: SourceFile): string[] {
  if (KNOWING.some((folder) => path.startsWith(folder))) return []
  const found = imports
    .filter((target) => /^chains\/(evm|solana)\//.test(target))
    .map((target) => `${path} imports ${target}`)
  const report = (what: string) => found.push(`${path} ${what}`)
  const isChainName = (text: string) =>
    isChain(text) && !(path in NAMES_CHAINS) && !(text === 'base' && path in OTHER_BASES)
  const named = (node: object): string | undefined => {
    if ('name' in node) return String(node.name)
    return 'value' in node ? String(node.value) : undefined
  }
  const importing = ({ source, specifiers }: { source: { value: string } | null; specifiers: readonly object[] }) => {
    if (!source?.value.endsWith('chains/index.ts')) return
    for (const one of specifiers) {
      const name = 'imported' in one ? one.imported : 'local' in one ? one.local : undefined
      const text = name ? named(name as object) : undefined
      if (text && OF_ONE_FAMILY.test(text)) report(`imports ${text}`)
    }
  }
  visit({
    ImportDeclaration: importing,
    ExportNamedDeclaration: importing,
    Literal({ value }) {
      if (typeof value !== 'string') return
      if (FAMILY.test(value) || isChainName(value)) report(`names '${value}'`)
    },
    MemberExpression({ property }) {
      if (named(property) === 'family' && !(path in OTHER_FAMILIES)) report('reads `family`')
    },
    ObjectPattern({ properties }) {
      for (const one of properties) {
        if (one.type === 'Property' && named(one.key) === 'family' && !(path in OTHER_FAMILIES))
          report('reads `family`')
      }
    },
    ObjectExpression({ properties }) {
      for (const one of properties) {
        const key = one.type === 'Property' ? named(one.key) : undefined
        if (key && (FAMILY.test(key) || isChainName(key))) report(`names '${key}'`)
      }
    },
  })
  return found
}
