import { decodeFunctionData, type Hex, maxUint256 } from 'viem'
import type { IssuedBytes } from '../../src/operations/index.ts'
import type { EvmRunState } from '../evm-run-state.ts'
import type { BytesVersion, IssuedVersions } from '../treasury/issued-versions.ts'
import { abi } from '../world/contracts.ts'
import type { Market } from '../world/market.ts'
import { fromUnsigned } from '../world/raw.ts'
import { wrongExitCall } from './exit-plan.ts'
import { checkIssuance } from './issuance.ts'
import { heldAndOnItsWay } from './requests-of-covered-money.ts'

/** A version with its bytes decoded. */
type DecodedVersion = BytesVersion & Pick<ReturnType<typeof fromUnsigned>, 'nonce' | 'to' | 'data'>

const decodedVersions = new WeakMap<BytesVersion, DecodedVersion>()

function decode(version: BytesVersion): DecodedVersion {
  const known = decodedVersions.get(version) ?? { ...version, ...fromUnsigned(version.bytes) }
  decodedVersions.set(version, known)
  return known
}

/**
 * Invariants at the moment when an agent is issued bytes, in addition to those of every chain: no other bytes of the
 * transaction can land instead, they do what was approved, and they keep the buffer (rule 1, 2, 4, 10).
 */
export async function checkIssuedBytes(
  run: EvmRunState,
  versions: IssuedVersions,
  issued: IssuedBytes,
  to: string,
): Promise<void> {
  const { transactionId, kind } = issued.transaction
  const issuance = await checkIssuance(run, versions, issued, to)
  const { earlier: before, isNew, version: current, row, wrong } = issuance
  if (!run.issuedAt.has(transactionId)) run.issuedAt.set(transactionId, run.world.latest.number)
  const version = decode(current)
  for (const earlier of before.map(decode)) {
    if (earlier.bytes === version.bytes) continue
    if (earlier.nonce !== version.nonce && !isDead(run, earlier))
      wrong(`has nonce ${version.nonce}, and with nonce ${earlier.nonce} it can still land`)
    if (earlier.nonce === version.nonce && earlier.data !== version.data && before.at(-1)?.bytes === earlier.bytes)
      wrong('has another effect than with its earlier fees')
  }
  const market = run.world.markets.find(({ key }) => key === row.strategy)!
  expectApproved(version, market, row.amount, wrong)
  if (!isNew) return
  // New fees for bytes that were lost are not checked again: the earlier ones can still land.
  const isRepriced = before.some((earlier) => decode(earlier).nonce === version.nonce)
  if (kind === 'unwind' && row.origin === 'rebalancer' && before.length === 0 && run.readsAreExact) {
    const { hiddenBps } = market.limits
    if (hiddenBps > 0n) wrong(`withdraws from a vault that keeps ${hiddenBps} hundredths of a percent of it`)
  }
  expectNoOutstandingBytes(run, { versions, version, market }, wrong)
  if (kind === 'supply' && run.readsAreExact && !isRepriced) {
    const left = run.balanceOf(market.token, version.sender) - BigInt(row.amount!)
    if (left < BigInt(row.buffer)) wrong(`leaves ${left} where the buffer is ${row.buffer}`)
  }
  if (kind === 'exit_request' && row.origin === 'rebalancer' && !row.leaves && run.readsAreExact) {
    const { held, onItsWay } = heldAndOnItsWay(run, {
      token: market.token,
      address: version.sender,
      leftOut: row.left_out,
    })
    if (held + onItsWay >= BigInt(row.buffer)) wrong(`requests money although ${onItsWay} is on its way`)
  }
}

/** Whether an unrelated transaction used its nonce, finally. */
function isDead({ world }: EvmRunState, { sender, nonce }: DecodedVersion): boolean {
  return world.final.state.nonce(sender) > nonce
}

interface NewlyIssued {
  readonly versions: IssuedVersions
  readonly version: DecodedVersion
  readonly market: Market
}

/** New bytes never get a higher nonce than outstanding bytes of an ended operation of the wallet and token. */
function expectNoOutstandingBytes(
  run: EvmRunState,
  { versions, version, market }: NewlyIssued,
  wrong: (what: string) => void,
): void {
  for (const other of versions.all().map(decode)) {
    if (other.operation.operationId === version.operation.operationId || other.sender !== version.sender) continue
    if (other.operation.strategyId !== version.operation.strategyId && !isOfToken(run, other, market)) continue
    if (other.nonce < version.nonce && run.world.latest.state.nonce(other.sender) <= other.nonce)
      wrong(
        `has nonce ${version.nonce}, while operation ${other.operation.operationId} can land with nonce ${other.nonce}`,
      )
  }
}

function isOfToken(run: EvmRunState, { to, data }: DecodedVersion, { token }: Market): boolean {
  return (
    to === token ||
    run.world.markets.some(
      (market) => market.contract === to && market.token === token && data.length > 0 && isIn(market, data),
    )
  )
}

const isIn = ({ protocol, token }: Market, data: string): boolean =>
  protocol !== 'aave-v3' || data.toLowerCase().includes(token.slice(2).toLowerCase())

/** The bytes move the approved amount to the approved destination, and do nothing else. */
function expectApproved(
  { to, data, sender, transaction: { kind } }: DecodedVersion,
  market: Market,
  text: string | null,
  wrong: (what: string) => void,
): void {
  const amount = text === null ? undefined : BigInt(text)
  if (kind === 'exit_request' || kind === 'exit_claim') {
    if (to !== market.contract) wrong(`goes to ${to}`)
    const reason = wrongExitCall(market, { kind, owner: sender, amount, data })
    if (reason !== undefined) wrong(reason)
    return
  }
  const { functionName, args } = decodeFunctionData({ abi, data: data as Hex })
  const values = args as readonly unknown[]
  const is = (...expected: readonly unknown[]) => expected.every((value, index) => values[index] === value)
  if (kind === 'approve' || kind === 'approve_reset' || kind === 'revoke') {
    const wanted = kind === 'approve' ? amount : 0n
    if (to !== market.token || functionName !== 'approve' || !is(market.contract, wanted))
      wrong(`approves ${String(values)} where ${wanted} was requested`)
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
