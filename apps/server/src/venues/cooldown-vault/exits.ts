import { multicall3Abi } from 'viem'
import type { Chain, ContractRead, IncludedTransaction } from '../../chains/index.ts'
import { MULTICALL3 } from '../../chains/index.ts'
import { ContractUnavailableError } from '../contract-unavailable.ts'
import { isSameAddress } from '../evm/address.ts'
import { decodeEvents } from '../evm/decode-events.ts'
import { integer, requireEvmChain } from '../evm/reader.ts'
import { exitMovement, NO_EXIT_MOVEMENT } from '../exit-movement.ts'
import type { ExitMovement, ExitReading, SharesQuery, Strategy, VenueExits } from '../port.ts'
import { cooldownVaultAbi, transferAbi } from './abi.ts'
import { planClaim } from './plan.ts'
import { durationCall, durationFrom } from './read.ts'

const CLOCK: ContractRead = {
  address: MULTICALL3,
  abi: multicall3Abi,
  functionName: 'getCurrentBlockTimestamp',
  args: [],
}

/** Claimable once the time is over by the chain's clock, or while the vault has no cooldown. */
async function read(chain: Chain, queries: readonly SharesQuery[], at?: number): Promise<ExitReading[]> {
  if (queries.length === 0) return []
  const calls = queries.flatMap(({ strategy, owner }) => [cooldownCall(strategy, owner), durationCall(strategy)])
  const [clock, ...found] = await requireEvmChain(chain).multicall([CLOCK, ...calls], at)
  const now = integer(clock, CLOCK)
  return queries.map((_, index) => {
    const [cooldownsCall, duration] = [calls[index * 2]!, calls[index * 2 + 1]!]
    const [end, assets] = cooldownFrom(found[index * 2], cooldownsCall)
    const isOver = now >= end || durationFrom(found[index * 2 + 1], duration) === 0n
    const claimableAt = assets === 0n ? null : new Date(Number(end) * 1_000)
    return isOver ? { pending: 0n, claimable: assets, claimableAt } : { pending: assets, claimable: 0n, claimableAt }
  })
}

const cooldownCall = (strategy: Strategy, owner: string): ContractRead => ({
  address: strategy.params.vault!,
  abi: cooldownVaultAbi,
  functionName: 'cooldowns',
  args: [owner],
})

function cooldownFrom(result: unknown, call: ContractRead): readonly [bigint, bigint] {
  const [end, assets] = Array.isArray(result) ? (result as unknown[]) : []
  if (typeof end === 'bigint' && typeof assets === 'bigint') return [end, assets]
  throw new ContractUnavailableError(call.address, call.functionName)
}

/**
 * A request is a withdrawal to the escrow. The vault emits no event for a claim, so the escrow's transfers show it; what the
 * escrow paid to others has no trace of its owner, and shows in the next reading only.
 */
function movement(strategy: Strategy, owner: string, transaction: IncludedTransaction): ExitMovement | undefined {
  const { vault, escrow } = strategy.params
  let moved = NO_EXIT_MOVEMENT
  for (const { eventName, args } of decodeEvents(cooldownVaultAbi, vault!, transaction)) {
    if (eventName !== 'Withdraw' || !isSameAddress(args.owner, owner) || !isSameAddress(args.receiver, escrow!))
      continue
    moved = {
      ...moved,
      requestedShares: moved.requestedShares + args.shares,
      requestedAssets: (moved.requestedAssets ?? 0n) + args.assets,
    }
  }
  for (const { args } of decodeEvents(transferAbi, strategy.tokenAddress, transaction)) {
    if (isSameAddress(args.from, escrow!) && isSameAddress(args.to, owner))
      moved = { ...moved, claimed: moved.claimed + args.value }
  }
  return exitMovement(moved)
}

function ownersIn(strategy: Strategy, transaction: IncludedTransaction): readonly string[] {
  const { vault, escrow } = strategy.params
  const requested = decodeEvents(cooldownVaultAbi, vault!, transaction).flatMap(({ eventName, args }) =>
    eventName === 'Withdraw' && isSameAddress(args.receiver, escrow!) ? [args.owner] : [],
  )
  const paid = decodeEvents(transferAbi, strategy.tokenAddress, transaction).flatMap(({ args }) =>
    isSameAddress(args.from, escrow!) ? [args.to] : [],
  )
  return [...requested, ...paid]
}

export const exits: VenueExits = {
  isFixedAtRequest: true,
  restartsWithRequest: true,
  read,
  movement,
  ownersIn,
  planClaim,
}
