import { encodeFunctionData, type Hex } from 'viem'
import { isIssued, planClaim } from '../../src/operations/index.ts'
import { strategiesOnChain } from '../../src/venues/index.ts'
import { BY_KEY } from '../../testing/operations/requesters.ts'
import { expectHonestClaim } from '../checks/exit-plan.ts'
import type { EvmRun } from '../evm-run.ts'
import type { Random } from '../random.ts'
import { nameStrategies } from '../treasury/name-strategies.ts'
import { abi } from '../world/contracts.ts'
import { exitAt, isSlow, type SlowMarket } from '../world/exits.ts'
import { seconds } from '../world/world.ts'
import type { Action } from './action.ts'
import { clientOf } from './requests.ts'
import type { WalletClient } from './wallet-client.ts'

/** What clients do with vaults that pay later, with and without Weir. Only where a seed has such vaults. */
export const EXITS: readonly Action<EvmRun>[] = [
  {
    name: 'plan a claim',
    weight: 6,
    act: (run, random) => run.request('claim', claimOf(run, random)),
  },
  {
    name: 'plan a claim twice concurrently',
    weight: 2,
    async act(run, random) {
      const claim = claimOf(run, random)
      await run.requests([
        ['claim', claim],
        ['claim', claim],
      ])
    },
  },
  {
    name: 'request an exit outside Weir',
    weight: 2,
    async act(run, random) {
      const holder = clientOf(run, random)
      const market = slowMarketOf(run, random)
      const shares = random.part(holder.balance(market.share), 1, 100)
      if (shares > 0n) run.record(`  ${requestExit(holder, market, shares)}`)
    },
  },
  {
    name: 'claim outside Weir',
    weight: 2,
    async act(run, random) {
      const holder = clientOf(run, random)
      const market = slowMarketOf(run, random)
      const { state, time } = run.world.latest
      const { claimable } = exitAt(state, market, holder.address, seconds(time))
      const own = holder.address as Hex
      const part = random.part(claimable, 20, 100)
      const data =
        market.protocol === 'erc7540'
          ? encodeFunctionData({ abi, functionName: 'withdraw', args: [part, own, own] })
          : encodeFunctionData({ abi, functionName: 'unstake', args: [own] })
      if (part > 0n) run.record(`  ${holder.send(market.contract, data)}`)
    },
  },
  {
    name: 'change the allow-list',
    weight: 2,
    async act(run, random) {
      if (run.treasury) await nameStrategies(run, random.chance(0.7))
    },
  },
  {
    name: 'let exits mature',
    weight: 3,
    async act(run) {
      run.letExitsMature()
    },
  },
]

/** Requests shares back without the service. Returns the hash, or why no node accepted it. */
export function requestExit(holder: WalletClient, { protocol, contract }: SlowMarket, shares: bigint): string {
  const own = holder.address as Hex
  const data =
    protocol === 'erc7540'
      ? encodeFunctionData({ abi, functionName: 'requestRedeem', args: [shares, own, own] })
      : encodeFunctionData({ abi, functionName: 'cooldownShares', args: [shares] })
  return holder.send(contract, data)
}

const slowMarketOf = ({ world }: EvmRun, random: Random): SlowMarket => random.pick(world.markets.filter(isSlow))

/** Of anything claimable at the moment, if there is something. */
function claimOf(run: EvmRun, random: Random): () => Promise<void> {
  const { state, time } = run.world.latest
  const possible = run.holders.flatMap((holder) =>
    run.world.markets
      .filter(isSlow)
      .filter((market) => exitAt(state, market, holder.address, seconds(time)).claimable > 0n)
      .flatMap((market) => holder.accounts.map((account) => ({ holder, market, account }))),
  )
  const chosen = random.pick(possible)
  return async () => {
    if (!chosen) return
    const { holder, market, account } = chosen
    const { scope, walletId } = account
    const strategy = (await strategiesOnChain(run.database.db, 'polygon')).find(({ key }) => key === market.key)!
    const operation = await planClaim(run.service.parts, {
      scope,
      walletId,
      strategyId: strategy.id,
      requestedBy: BY_KEY,
    })
    holder.receive(account, operation.transactions.filter(isIssued))
    expectHonestClaim(holder, market, operation)
  }
}
