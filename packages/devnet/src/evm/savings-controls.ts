import type { Address } from 'viem'
import type { StrategyControls } from '../strategy-state.ts'
import type { Governor } from './governor.ts'

const RAY = 10n ** 27n
const SECONDS_PER_YEAR = 31_536_000n
const BASIS_POINTS = 10_000n

/** The factor of a second, in rays, that pays this part a year before compounding. */
export const factorOf = (basisPoints: number): bigint =>
  RAY + (BigInt(basisPoints) * RAY) / BASIS_POINTS / SECONDS_PER_YEAR

/** The inverse, rounded. */
const basisPointsOf = (factor: bigint): number =>
  Number(((factor - RAY) * SECONDS_PER_YEAR * BASIS_POINTS + RAY / 2n) / RAY)

/** A savings vault: its governor sets the rate, and it can always pay everybody. */
export function savingsVaultControls(governor: Governor, vault: Address): StrategyControls {
  const call = (functionName: string, ...args: readonly unknown[]) => {
    return { path: 'weir/SavingsVault', to: vault, functionName, args }
  }
  return {
    rateBasisPoints: (basisPoints) => governor.send(call('setRate', factorOf(basisPoints))),
    async read() {
      const totalAssets = await governor.read<bigint>(call('totalAssets'))
      const rateBasisPoints = basisPointsOf(await governor.read<bigint>(call('ssr')))
      const state = { paused: false, frozen: false, depositCap: null, feeBasisPoints: 0 }
      return { ...state, totalAssets, liquidity: totalAssets, rateBasisPoints }
    },
  }
}
