import type { Address } from 'viem'
import { maxUint256 } from 'viem'
import type { StrategyControls } from '../strategy-state.ts'
import type { Governor } from './governor.ts'

export type AaveReserve = {
  readonly pool: Address
  readonly configurator: Address
  readonly weth: Address
  readonly token: Address
  readonly aToken: Address
}

const UNIT = 10n ** 6n
/** Collateral for one base unit of a stablecoin, at 3,000 dollars and 80 %, with half of it to spare. */
const WETH_PER_BASE_UNIT = 625_000_000n
const VARIABLE_RATE = 2n

/** One reserve of the embedded Aave pool, through its configurator and through a borrower with enough collateral. */
export function aaveReserveControls(governor: Governor, reserve: AaveReserve): StrategyControls {
  const { token, pool, configurator, aToken } = reserve
  const configure = (functionName: string, args: readonly unknown[]) =>
    governor.send({ path: 'aave-v3/PoolConfigurator', to: configurator, functionName, args: [token, ...args] })
  const flags = async () => (await reserveData(governor, pool, token)).configuration.data
  return {
    liquidity: (direction, amount) =>
      direction === 'leave' ? borrow(governor, reserve, amount) : repay(governor, reserve, amount),
    // Aave keeps whole tokens, and 0 for no cap.
    depositCap: (cap) => configure('setSupplyCap', [cap === null ? 0n : cap < UNIT ? 1n : cap / UNIT]),
    paused: (paused) => configure('setReservePause', [paused]),
    frozen: (frozen) => configure('setReserveFreeze', [frozen]),
    async read() {
      const set = await flags()
      const cap = (set >> 116n) & (2n ** 36n - 1n)
      return {
        paused: bit(set, 60n),
        frozen: bit(set, 57n),
        depositCap: cap === 0n ? null : cap * UNIT,
        totalAssets: await governor.read<bigint>({ path: 'aave-v3/AToken', to: aToken, functionName: 'totalSupply' }),
        liquidity: await balanceOf(governor, token, aToken),
        feeBasisPoints: Number((set >> 64n) & 0xffffn),
      }
    },
  }
}

/** Borrows this much of a reserve, or all that it has. */
export async function borrow(governor: Governor, reserve: AaveReserve, amount = maxUint256): Promise<void> {
  const { pool, token, weth, aToken } = reserve
  const liquid = await balanceOf(governor, token, aToken)
  const wanted = amount < liquid ? amount : liquid
  if (wanted === 0n) return
  const collateral = wanted * WETH_PER_BASE_UNIT
  await governor.provide(weth, collateral, pool)
  const call = (functionName: string, args: readonly unknown[]) =>
    governor.send({ path: 'aave-v3/Pool', to: pool, functionName, args })
  await call('supply', [weth, collateral, governor.address, 0])
  await call('borrow', [token, wanted, VARIABLE_RATE, 0, governor.address])
}

/** Repays this much of what the governor borrowed from a reserve, or all of it with interest. */
export async function repay(governor: Governor, reserve: AaveReserve, amount = maxUint256): Promise<void> {
  const { pool, token } = reserve
  const { variableDebtTokenAddress } = await reserveData(governor, pool, token)
  const debt = await balanceOf(governor, variableDebtTokenAddress, governor.address)
  if (debt === 0n) return
  // A little more, for interest until the block.
  await governor.provide(token, debt + debt / 1_000n + 1n, pool)
  const args = [token, amount < debt ? amount : maxUint256, VARIABLE_RATE, governor.address]
  await governor.send({ path: 'aave-v3/Pool', to: pool, functionName: 'repay', args })
}

type ReserveData = {
  readonly configuration: { readonly data: bigint }
  readonly variableDebtTokenAddress: Address
}

function reserveData(governor: Governor, pool: Address, token: Address): Promise<ReserveData> {
  return governor.read({ path: 'aave-v3/Pool', to: pool, functionName: 'getReserveData', args: [token] })
}

function balanceOf(governor: Governor, token: Address, account: Address): Promise<bigint> {
  return governor.read({ path: 'weir/DevToken', to: token, functionName: 'balanceOf', args: [account] })
}

function bit(flags: bigint, position: bigint): boolean {
  return ((flags >> position) & 1n) === 1n
}
