import { expect, test } from 'vitest'
import { parseSource, type SourceFile, serverSource } from '../testing/source/source-tree.ts'

/** Where limits live, each with its reason. */
const LIMITS = 'kernel/limits/'
/** How the names of limits end: how long, how often, how many, how large. */
const LIMIT_WORDS = new Set(
  `MS SECONDS MINUTES MAX LIMIT LIMITS BYTES PAGE PAGES ROWS BATCH CONCURRENCY CONNECTIONS CACHE PREFETCH ATTEMPTS TRIES
  RETRIES INTERVAL TIMEOUT DELAY BACKOFF COOLDOWN LEASE LIFETIME RETENTION WINDOW`.split(/\s+/),
)

/** Constants that sound like limits, and what they are instead. */
const NO_LIMITS: Readonly<Record<string, string>> = {
  'chains/evm/sending/sender-state.ts PLANNED_BYTES':
    'the size of a planned transaction, by which its fee is estimated',
  'chains/evm/sending/simulate.ts FALLBACK_GAS_LIMIT': 'what a call costs at most that cannot be estimated yet',
  'chains/port/networks.ts CONFIRMATIONS_MAX': 'where Solana stops counting votes',
  'chains/solana/transactions/compute-budget.ts COMPUTE_UNITS_MAX': 'a rule of Solana’s runtime',
  'chains/solana/transactions/compute-budget.ts SET_UNIT_LIMIT': 'the number of an instruction',
  'chains/solana/sending/simulate.ts TOKEN_ACCOUNT_BYTES': 'the size of an account of the token program',
  'identity/factors/challenges.ts CHALLENGE_BYTES': 'the size of a challenge, which cannot be guessed',
  'identity/factors/totp.ts STEP_SECONDS': 'the time step of authenticator apps (RFC 6238)',
  'kernel/apy.ts APY_MAX': 'where a measured rate is cut',
  'kernel/durations.ts DAY_MS': 'a unit of time',
  'kernel/durations.ts YEAR_MS': 'a unit of time',
  'kernel/seal.ts NONCE_BYTES': 'the nonce of AES-GCM',
  'kernel/seal.ts TAG_BYTES': 'the tag of AES-GCM',
  'policy/hours.ts DAY_MINUTES': 'a unit of time',
  'surfaces/http/validation/parse-body.ts DOUBLE_DIGITS_MAX': 'the range of a double',
  'venues/erc4626/rates.ts AHEAD_SECONDS': 'the period by which a rate is read from a vault',
  'venues/kamino/interest.ts PROGRAM_SLOT_MS': 'how long Kamino’s program takes a slot to be',
  'venues/kamino/interest.ts SLOT_MS': 'how long a slot of Solana is',
  'webhooks/endpoints/signing-secret.ts BYTES': 'the size of a signing secret, in the range of Standard Webhooks',
}

test('every limit of the service is in kernel/limits', () => {
  expect(serverSource().flatMap(limitsIn).toSorted()).toEqual(Object.keys(NO_LIMITS).toSorted())
})

test('each exception explains its constant', () => {
  for (const [name, reason] of Object.entries(NO_LIMITS)) expect(reason, name).toMatch(/\w+ \w+/)
})

test('every delay, number of rows and length of a field has a name', () => {
  const unnamed = [
    /\.limit\((?!1\))\d/,
    /\blimit (?!1\b)\d+\b(?! for)/,
    /\bsetTimeout\([^;]*?,\s*[1-9][\d_]*\)/,
    /\bAbortSignal\.timeout\(\d/,
    /\b\w*[tT]imeout\w*: [1-9]/,
    /\b(maxLength|maxItems): \d/,
  ]
  const found = serverSource().flatMap(({ path, text }) =>
    isOutside(path) && unnamed.some((pattern) => pattern.test(text)) ? [path] : [],
  )
  expect(found).toEqual([])
})

test('the rule finds a limit by the end of its name, and only with a number', () => {
  const found = (text: string) => limitsIn(parseSource('ledger/post.ts', text))
  expect(found('const RETRY_MS = 5')).toEqual(['ledger/post.ts RETRY_MS'])
  expect(found('export const LEASE_MS = { min: 1, max: 2 } as const')).toEqual(['ledger/post.ts LEASE_MS'])
  expect(found('const BATCH = 1n')).toEqual(['ledger/post.ts BATCH'])
  expect(found("const PAGE = '1'; const MAX_TERMS = 5; const retryMs = 5")).toEqual([])
  expect(limitsIn(parseSource('kernel/limits/ledger.ts', 'export const RETRY_MS = 5'))).toEqual([])
})

function limitsIn({ path, statements, text }: SourceFile): string[] {
  if (!isOutside(path)) return []
  return statements.flatMap((statement) => {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declared?.type !== 'VariableDeclaration') return []
    return declared.declarations.flatMap(({ id, init }) => {
      if (id.type !== 'Identifier' || !init || !/^[A-Z][A-Z0-9_]*$/.test(id.name)) return []
      const isLimit = LIMIT_WORDS.has(id.name.split('_').at(-1)!)
      const value = text.slice(init.start, init.end).replace(/'[^']*'|`[^`]*`/g, '')
      return isLimit && /(?<![\w$])\d/.test(value) ? [`${path} ${id.name}`] : []
    })
  })
}

/** Operators choose settings, shipped migrations are frozen, and the test node serves tests. */
function isOutside(path: string): boolean {
  return (
    !path.startsWith(LIMITS) &&
    !path.startsWith('config/') &&
    !path.startsWith('database/migrations/') &&
    path !== 'chains/evm/test-node.ts'
  )
}
