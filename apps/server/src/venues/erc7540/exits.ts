import type { Chain, ContractRead, IncludedTransaction } from '../../chains/index.ts'
import { priceCall, sharesToAssets } from '../erc4626/price.ts'
import { isSameAddress } from '../evm/address.ts'
import { decodeEvents } from '../evm/decode-events.ts'
import { readIntegers } from '../evm/reader.ts'
import { exitMovement, NO_EXIT_MOVEMENT } from '../exit-movement.ts'
import type { ExitMovement, ExitReading, SharesQuery, Strategy, VenueExits } from '../port.ts'
import { asyncVaultAbi } from './abi.ts'
import { planClaim } from './plan.ts'

/** Requests add up under this id in the vaults that are supported. */
const REQUEST_ID = 0n

/** While it waits, a request is worth its shares; once settled, what `maxWithdraw` returns. */
async function read(chain: Chain, queries: readonly SharesQuery[], at?: number): Promise<ExitReading[]> {
  const found = await readIntegers(chain, queries.flatMap(callsOf), at)
  return queries.map((_, index) => {
    const [shares, claimable, price] = found.slice(index * 3, index * 3 + 3) as [bigint, bigint, bigint]
    return { pending: sharesToAssets(shares, price), claimable, claimableAt: null }
  })
}

function callsOf({ strategy, owner }: SharesQuery): ContractRead[] {
  const call = (functionName: string, args: readonly unknown[]) => ({
    address: strategy.params.vault!,
    abi: asyncVaultAbi,
    functionName,
    args,
  })
  return [call('pendingRedeemRequest', [REQUEST_ID, owner]), call('maxWithdraw', [owner]), priceCall(strategy)]
}

function movement(strategy: Strategy, owner: string, transaction: IncludedTransaction): ExitMovement | undefined {
  let moved = NO_EXIT_MOVEMENT
  for (const { eventName, args } of decodeEvents(asyncVaultAbi, strategy.params.vault!, transaction)) {
    if (eventName === 'RedeemRequest' && isSameAddress(args.controller, owner)) {
      moved = isSameAddress(args.owner, owner)
        ? { ...moved, requestedShares: moved.requestedShares + args.shares }
        : { ...moved, receivedShares: moved.receivedShares + args.shares }
    }
    if (eventName === 'Withdraw' && isSameAddress(args.owner, owner)) {
      moved = isSameAddress(args.receiver, owner)
        ? { ...moved, claimed: moved.claimed + args.assets }
        : { ...moved, claimedElsewhere: moved.claimedElsewhere + args.assets }
    }
  }
  return exitMovement(moved)
}

function ownersIn(strategy: Strategy, transaction: IncludedTransaction): readonly string[] {
  return decodeEvents(asyncVaultAbi, strategy.params.vault!, transaction).flatMap(({ eventName, args }) => {
    if (eventName === 'RedeemRequest') return [args.controller, args.owner]
    return eventName === 'Withdraw' ? [args.owner] : []
  })
}

export const exits: VenueExits = {
  isFixedAtRequest: false,
  restartsWithRequest: false,
  read,
  movement,
  ownersIn,
  planClaim,
}
