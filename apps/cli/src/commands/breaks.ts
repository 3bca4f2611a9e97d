import type { components } from '../../../../packages/sdk/src/index.ts'
import { asMember, SIGNS_IN } from '../as-member.ts'
import { confirm, requireTerminal } from '../ask.ts'
import { type Connection, URL_OPTION, type UrlOption } from '../connect.ts'
import { defineCommand, type Result } from '../define-command.ts'
import type { Definer } from '../definer.ts'
import { type Shell, UsageError } from '../shell.ts'
import { printable, table } from '../table.ts'
import { wholeNumber } from '../whole-number.ts'

type Break = components['schemas']['LedgerBreak']

interface ListOptions extends UrlOption {
  readonly state?: State
  readonly limit?: string
}

interface AcceptOptions extends UrlOption {
  readonly reason?: string
  readonly yes?: boolean
}

const STATES = ['open', 'accepted', 'closed'] as const
type State = (typeof STATES)[number]
const LIMIT = '50'
/** The most that the service returns at once. */
const PAGE = 100
const READERS = 'Every member may; so may a service account, whose secret goes into WEIR_ACCESS_TOKEN.'

/** Differences between ledger and chain. */
export function defineBreakCommands({ group, shell, end }: Definer): void {
  const breaks = group('breaks', 'Unexplained differences between ledger and chain')
  const to = { shell, end }
  defineCommand<ListOptions>(breaks, to, {
    usage: 'list',
    summary: 'List breaks, open ones first',
    description: `With wallet and chain, and under MISSING what the ledger shows and the wallet does not hold. Open ones first, then accepted, then closed ones, each newest first (docs/operating.md). ${READERS} ${SIGNS_IN}`,
    options: [
      ['--state <state>', 'only these', STATES],
      ['--limit <count>', `at most this many; ${LIMIT} by default`],
      URL_OPTION,
    ],
    examples: [
      { run: 'breaks list --state open', does: 'what nobody has explained yet' },
      { run: 'breaks list --json | jq .open', does: 'how many are open' },
    ],
    async run(own, _args, options) {
      const limit = wholeNumber('--limit', options.limit ?? LIMIT)
      if (limit === 0) throw new UsageError('--limit must be at least 1')
      return await asMember(own, options, (connection) => listBreaks(connection, limit, options.state))
    },
  })
  defineCommand<UrlOption>(breaks, to, {
    usage: 'show <id>',
    summary: 'Show a break',
    description: `With the addresses of wallet and token, the block at which it was last measured, and who accepted it and why. ${READERS} ${SIGNS_IN}`,
    arguments: { id: 'id of the break, as `weir breaks list` prints it' },
    options: [URL_OPTION],
    examples: [{ run: 'breaks show 7', does: 'where to look for the money' }],
    async run(own, [given = ''], options) {
      const id = wholeNumber('the id', given)
      return await asMember(own, options, async ({ weir }) => {
        const found = await weir.core.breaks.get(id)
        return { json: found, lines: await linesOf(found) }
      })
    },
  })
  defineCommand<AcceptOptions>(breaks, to, {
    usage: 'accept <id>',
    summary: 'Accept a break with a reason',
    description: `Records that a person knows why this amount is missing. It changes no balance; the break opens again if the difference grows, and closes when ledger and chain agree. For owners and admins, not for service accounts. Shows the amount and asks first. ${SIGNS_IN}`,
    arguments: { id: 'id of the break, from `weir breaks list`' },
    options: [
      ['--reason <reason>', 'why the difference is acceptable: required, kept, and read by auditors'],
      ['--yes', 'do not ask'],
      URL_OPTION,
    ],
    examples: [
      {
        run: 'breaks accept 7 --reason "Bridge fee of 2026-11-20, booked by accounting"',
        does: 'after you have found where the money went',
      },
    ],
    async run(own, [given = ''], { reason = '', ...options }) {
      const id = wholeNumber('the id', given)
      if (reason.trim() === '') throw new UsageError('say in --reason why the difference is acceptable')
      if (!options.yes) requireTerminal(own, `Accept break ${id}?`)
      return await asMember(own, options, async (connection) => {
        if (!(options.yes || (await isAgreed(own, connection, id))))
          return { json: { accepted: false }, lines: ['nothing was changed'] }
        const accepted = await connection.weir.core.breaks.accept(id, { reason })
        return { json: accepted, lines: [`break ${id} is accepted: ${await missingIn(accepted)}`] }
      })
    },
  })
}

async function listBreaks({ weir }: Connection, limit: number, state: State | undefined): Promise<Result> {
  const breaks: Break[] = []
  let [total, open] = [0, 0]
  do {
    const wanted = Math.min(PAGE, limit - breaks.length)
    const status = state !== undefined && { status: state }
    const page = await weir.core.breaks.list({ ...status, limit: wanted, offset: breaks.length })
    if (page.breaks.length === 0) break
    breaks.push(...page.breaks)
    total = page.pagination.total
    open = page.open
  } while (breaks.length < Math.min(limit, total))
  return { json: { breaks, total, open }, lines: await listLines(breaks, total, state) }
}

async function listLines(breaks: readonly Break[], total: number, state: State | undefined): Promise<string[]> {
  if (breaks.length === 0)
    return [state === undefined ? 'there are no breaks' : `there are no breaks that are ${state}`]
  const rows = await Promise.all(
    breaks.map(async (each) => [
      String(each.id),
      stateOf(each),
      walletOf(each),
      each.blockchain,
      await amountOf(each),
      each.openedAt,
    ]),
  )
  const lines = table(['ID', 'STATE', 'WALLET', 'CHAIN', 'MISSING', 'OPENED'], rows)
  return total > breaks.length ? [...lines, `${breaks.length} of ${total}; --limit ${total} lists all`] : lines
}

async function linesOf(found: Break): Promise<string[]> {
  const { id, blockchain, walletId, walletAddress, tokenAddress, blockNumber, openedAt, closedAt } = found
  const facts: (readonly [name: string, value: string])[] = [
    ['break', `${id}, ${stateOf(found)}`],
    ['missing', await amountOf(found)],
    ['wallet', `${walletId}, ${walletOf(found)}`],
    ['address', `${walletAddress} on ${blockchain}`],
    ['token', tokenAddress],
    ['opened', openedAt],
  ]
  if (blockNumber != null) facts.push(['measured', `at block ${blockNumber}`])
  if (found.acceptedAt != null) {
    facts.push(['accepted', `${found.acceptedAt} by user ${found.acceptedBy}`])
    facts.push(['reason', printable(found.acceptedReason ?? '', 1_000)])
  }
  if (closedAt !== null) facts.push(['closed', closedAt])
  const lines = facts.map(([name, value]) => `${name.padEnd(10)}${value}`)
  return stateOf(found) === 'open' ? [...lines, `to accept it: weir breaks accept ${id} --reason "..."`] : lines
}

/** Asks about the amount. What is not open is not asked about: the service says why it refuses. */
async function isAgreed(shell: Shell, { weir }: Connection, id: number): Promise<boolean> {
  const found = await weir.core.breaks.get(id)
  return stateOf(found) !== 'open' || (await confirm(shell, `Accept break ${id}: ${await missingIn(found)}?`))
}

async function missingIn(found: Break): Promise<string> {
  return `${await amountOf(found)} missing in ${walletOf(found)} on ${found.blockchain}`
}

/** In tokens. Without the decimals of the token, the amount in base units is all that is certain. */
async function amountOf({ amountBaseUnits, token, tokenDecimals, tokenAddress }: Break): Promise<string> {
  if (tokenDecimals == null) return `${amountBaseUnits} base units of ${tokenAddress}`
  const { formatDecimal } = await import('../../../server/src/kernel/index.ts')
  return `${formatDecimal(BigInt(amountBaseUnits), tokenDecimals)} ${token ?? tokenAddress}`
}

const walletOf = ({ walletLabel, walletAddress }: Break): string => printable(walletLabel ?? walletAddress, 40)
const stateOf = ({ status = 'open' }: Break): State => status
