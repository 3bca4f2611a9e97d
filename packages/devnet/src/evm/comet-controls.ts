import { type Address, maxUint256 } from 'viem'
import type { StrategyControls } from '../strategy-state.ts'
import type { ContractCall, Governor } from './governor.ts'
import { RpcError } from './rpc.ts'

interface CometMarket {
  readonly comet: Address
  readonly token: Address
  readonly weth: Address
}

/** Collateral for one base unit of a stablecoin, at 3,000 dollars and 80 %, with half of it to spare. */
const WETH_PER_BASE_UNIT = 625_000_000n

const SECONDS_PER_YEAR = 31_536_000n
const BASIS_POINTS = 10_000n
const TRACKING_INDEX_SCALE = 10n ** 15n
const BASE_SCALE = 10n ** 6n

/** Reward tokens a second that are this part of the deposits a year, while both are worth a dollar. */
export const speedOf = (basisPoints: number, deposits: bigint): bigint =>
  (BigInt(basisPoints) * deposits * TRACKING_INDEX_SCALE) / BASE_SCALE / BASIS_POINTS / SECONDS_PER_YEAR

/** The inverse, rounded. */
function basisPointsOf(speed: bigint, deposits: bigint): number {
  if (deposits === 0n) return 0
  const whole = deposits * TRACKING_INDEX_SCALE
  return Number((speed * SECONDS_PER_YEAR * BASIS_POINTS * BASE_SCALE + whole / 2n) / whole)
}

/** A Comet market: its governor pauses deposits alone or withdrawals too, borrows what it holds, and sets the rewards. */
export function cometControls(governor: Governor, { comet, token, weth }: CometMarket): StrategyControls {
  const call = (functionName: string, ...args: readonly unknown[]): ContractCall => {
    return { path: 'weir/CometMarket', to: comet, functionName, args }
  }
  const read = <Result>(functionName: string, ...args: readonly unknown[]) =>
    governor.read<Result>(call(functionName, ...args))
  const liquidity = () =>
    governor.read<bigint>({ path: 'weir/DevToken', to: token, functionName: 'balanceOf', args: [comet] })
  const pause = (supply: boolean, withdraw: boolean) =>
    governor.send(call('pause', supply, false, withdraw, false, false))

  async function borrow(amount = maxUint256): Promise<void> {
    const held = await liquidity()
    const wanted = amount < held ? amount : held
    if (wanted === 0n) return
    const collateral = wanted * WETH_PER_BASE_UNIT
    await governor.provide(weth, collateral, comet)
    await governor.send(call('supply', weth, collateral))
    await governor.send(call('withdraw', token, wanted))
  }

  async function repay(amount = maxUint256): Promise<void> {
    const debt = await read<bigint>('borrowBalanceOf', governor.address)
    if (debt === 0n) return
    // A little more, for interest until the block.
    await governor.provide(token, debt + debt / 1_000n + 1n, comet)
    await governor.send(call('supply', token, amount < debt ? amount : maxUint256))
  }

  return {
    liquidity: (direction, amount) => (direction === 'leave' ? borrow(amount) : repay(amount)),
    paused: (paused) => pause(paused, paused),
    // Withdrawals keep their pause.
    frozen: async (frozen) => pause(frozen, await read<boolean>('isWithdrawPaused')),
    rewardBasisPoints: async (basisPoints) =>
      governor.send(call('setBaseTrackingSupplySpeed', speedOf(basisPoints, await read<bigint>('totalSupply')))),
    async read() {
      const totalAssets = await read<bigint>('totalSupply')
      // A market that an earlier release deployed on a saved chain tracks nothing.
      const speed = await read<bigint>('baseTrackingSupplySpeed').catch(noReward)
      const [supply, withdraw] = [await read<boolean>('isSupplyPaused'), await read<boolean>('isWithdrawPaused')]
      return {
        paused: withdraw,
        frozen: supply && !withdraw,
        depositCap: null,
        totalAssets,
        liquidity: await liquidity(),
        feeBasisPoints: 0,
        ...(speed !== undefined && { rewardBasisPoints: basisPointsOf(speed, totalAssets) }),
      }
    },
  }
}

function noReward(error: unknown): undefined {
  if (!(error instanceof RpcError)) throw error
}
