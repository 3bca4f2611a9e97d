import { decodeFunctionData, type Hex, maxUint256 } from 'viem'
import type { HandedOut } from '../../src/operations/index.ts'
import type { Play } from '../play.ts'
import type { Version } from '../treasury/given.ts'
import type { Treasury } from '../treasury/treasury.ts'
import { Violation } from '../violation.ts'
import { abi } from '../world/contracts.ts'
import type { Market } from '../world/market.ts'

interface Row {
  readonly state: string
  readonly required: number
  readonly approvals: number
  readonly strategy: string
  readonly buffer: string
  readonly amount: string | null
}

/**
 * What must hold at the moment in which an agent is given bytes: nobody else has them, no others of the transaction can
 * land instead of them, they do what was approved, by as many as had to, and they leave the buffer (money-rules 1, 2, 4, 10).
 */
export async function checkHandOut(play: Play, treasury: Treasury, handedOut: HandedOut, to: string): Promise<void> {
  const { operation, transaction } = handedOut
  const { operationId } = operation
  const wrong = (what: string) => {
    throw new Violation(`transaction ${transaction.transactionId} of operation ${operationId}, given to ${to}, ${what}`)
  }
  const before = treasury.given.of(transaction.transactionId)
  const holder = before.find(({ leasedUntil }) => leasedUntil > play.clock.now())
  if (holder) wrong(`is leased to ${holder.last} until ${holder.leasedUntil.toISOString()}`)
  const isNew = before.every(({ bytes }) => bytes !== transaction.unsignedBytes)
  const version = treasury.given.add(handedOut, to)
  for (const earlier of before) {
    if (earlier.bytes === version.bytes) continue
    if (earlier.nonce !== version.nonce && !isDead(play, earlier))
      wrong(`has nonce ${version.nonce}, and with nonce ${earlier.nonce} it can still land`)
    if (earlier.nonce === version.nonce && earlier.data !== version.data && before.at(-1) === earlier)
      wrong('does something else than with its earlier fees')
  }
  const { rows } = await play.books.look.query<Row>(
    `select o.state, o.required_approvals as required, s.key as strategy, ow.buffer_amount::text as buffer,
        o.amount::text as amount, (select count(*) from operation_approvals a
          where a.operation_id = o.id and a.decision = 'approve')::int as approvals
      from operations o join strategies s on s.id = o.strategy_id
        join operational_wallets ow on ow.id = o.op_wallet_id where o.id = $1`,
    [operationId],
  )
  const row = rows[0]!
  if (row.state !== 'EXECUTING') wrong(`is of one that is ${row.state}`)
  if (row.approvals < row.required) wrong(`has ${row.approvals} of ${row.required} approvals`)
  const market = play.world.markets.find(({ key }) => key === row.strategy)!
  expectApproved(version, market, row.amount, wrong)
  if (!isNew) return
  expectNoLeftovers(play, treasury, version, market, wrong)
  if (transaction.kind === 'supply' && play.readsAreExact) {
    const left = play.world.latest.state.balance(market.token, version.sender) - BigInt(row.amount!)
    if (left < BigInt(row.buffer)) wrong(`leaves ${left} where the buffer is ${row.buffer}`)
  }
}

/** Another transaction used its nonce, for good, and it was none of ours. */
function isDead({ world }: Play, { sender, nonce }: Version): boolean {
  return world.final.state.nonce(sender) > nonce
}

/** New bytes never get a nonce above one with which an ended operation of the wallet and token can still land. */
function expectNoLeftovers(
  play: Play,
  treasury: Treasury,
  version: Version,
  market: Market,
  wrong: (what: string) => void,
): void {
  for (const other of treasury.given.all()) {
    if (other.operation.operationId === version.operation.operationId || other.sender !== version.sender) continue
    if (other.operation.strategyId !== version.operation.strategyId && !isOfToken(play, other, market)) continue
    if (other.nonce < version.nonce && play.world.latest.state.nonce(other.sender) <= other.nonce)
      wrong(
        `has nonce ${version.nonce}, while operation ${other.operation.operationId} can land with nonce ${other.nonce}`,
      )
  }
}

function isOfToken(play: Play, { to, data }: Version, { token }: Market): boolean {
  return (
    to === token ||
    play.world.markets.some(
      (market) => market.contract === to && market.token === token && data.length > 0 && isIn(market, data),
    )
  )
}

const isIn = ({ protocol, token }: Market, data: string): boolean =>
  protocol === 'erc4626' || data.toLowerCase().includes(token.slice(2).toLowerCase())

/** The bytes move what was approved, where it was approved to go, and do nothing else. */
function expectApproved(
  { to, data, sender, transaction: { kind } }: Version,
  market: Market,
  text: string | null,
  wrong: (what: string) => void,
): void {
  const amount = text === null ? undefined : BigInt(text)
  const { functionName, args } = decodeFunctionData({ abi, data: data as Hex })
  const values = args as readonly unknown[]
  const is = (...expected: readonly unknown[]) => expected.every((value, index) => values[index] === value)
  if (kind === 'approve' || kind === 'approve_reset') {
    const wanted = kind === 'approve' ? amount : 0n
    if (to !== market.token || functionName !== 'approve' || !is(market.contract, wanted))
      wrong(`approves ${String(values)} where ${wanted} was asked for`)
    return
  }
  if (to !== market.contract) wrong(`goes to ${to}`)
  const isPool = market.protocol === 'aave-v3'
  const isAsked =
    kind === 'supply'
      ? is(...(isPool ? [market.token, amount, sender] : [amount, sender]))
      : isPool
        ? is(market.token, amount ?? maxUint256, sender)
        : amount === undefined
          ? functionName === 'redeem' && values[1] === sender
          : functionName === 'withdraw' && is(amount, sender, sender)
  if (!isAsked) wrong(`does ${functionName} ${String(values)} where ${amount ?? 'everything'} was approved`)
}
