import type { Address } from 'viem'
import { maxUint256 } from 'viem'
import type { StrategyControls } from '../strategy-state.ts'
import { type AaveReserve, borrow, repay } from './aave-reserve-controls.ts'
import type { ContractCall, Governor } from './governor.ts'

/** Where a vault lends: to a reserve of Aave, or to isolated markets against WETH. */
export type LendsTo =
  | { readonly kind: 'aave-v3'; readonly reserve: AaveReserve }
  | { readonly kind: 'markets'; readonly markets: Address; readonly ids: readonly bigint[]; readonly weth: Address }

/** Collateral for one base unit of a stablecoin, at 3,000 dollars and 77 %, with half of it to spare. */
const WETH_PER_BASE_UNIT = 650_000_000n

/** A vault that lends everything on. Its liquidity is what the borrowers left where it lends, so it leaves there. */
export function lendingVaultControls(
  governor: Governor,
  { vault, token, lendsTo }: { readonly vault: Address; readonly token: Address; readonly lendsTo: LendsTo },
): StrategyControls {
  const ofVault = (functionName: string, ...args: readonly unknown[]): ContractCall => ({
    path: lendsTo.kind === 'aave-v3' ? 'weir/AaveLendingVault' : 'weir/MarketsVault',
    to: vault,
    functionName,
    args,
  })
  const set = (functionName: string, ...args: readonly unknown[]) => governor.send(ofVault(functionName, ...args))
  const read = <Result>(functionName: string) => governor.read<Result>(ofVault(functionName))
  const lending =
    lendsTo.kind === 'aave-v3'
      ? {
          leave: (amount?: bigint) => borrow(governor, lendsTo.reserve, amount),
          return: (amount?: bigint) => repay(governor, lendsTo.reserve, amount),
          lose: (basisPoints: number) => set('setLoss', BigInt(basisPoints)),
        }
      : marketsOf(governor, token, lendsTo)
  return {
    liquidity: (direction, amount) => lending[direction](amount),
    depositCap: (cap) => set('setCap', cap ?? maxUint256),
    paused: (paused) => set('setPaused', paused),
    lossBasisPoints: (basisPoints) => lending.lose(basisPoints),
    feeBasisPoints: (basisPoints) => set('setFee', BigInt(basisPoints)),
    async read() {
      const cap = await read<bigint>('cap')
      return {
        paused: await read<boolean>('paused'),
        frozen: false,
        depositCap: cap === maxUint256 ? null : cap,
        totalAssets: await read<bigint>('totalAssets'),
        liquidity: await read<bigint>('liquidity'),
        feeBasisPoints: Number(await read<bigint>('feeBasisPoints')),
      }
    },
  }
}

/** The same amount leaves and returns market by market, in the vault's order. */
function marketsOf(governor: Governor, token: Address, { markets, ids, weth }: Extract<LendsTo, { kind: 'markets' }>) {
  const call = (functionName: string, args: readonly unknown[]): ContractCall => ({
    path: 'weir/LendingMarkets',
    to: markets,
    functionName,
    args,
  })
  const read = <Result>(functionName: string, args: readonly unknown[]) =>
    governor.read<Result>(call(functionName, args))

  async function share(
    amount: bigint | undefined,
    most: (id: bigint) => Promise<bigint>,
    move: (id: bigint, part: bigint) => Promise<void>,
  ) {
    let rest = amount ?? maxUint256
    for (const id of ids) {
      const possible = await most(id)
      const part = possible < rest ? possible : rest
      if (part > 0n) await move(id, part)
      rest -= part
    }
  }

  return {
    leave: (amount?: bigint) =>
      share(
        amount,
        (id) => read<bigint>('liquidityOf', [id]),
        async (id, part) => {
          const collateral = part * WETH_PER_BASE_UNIT
          await governor.provide(weth, collateral, markets)
          await governor.send(call('supplyCollateral', [id, collateral]))
          await governor.send(call('borrow', [id, part]))
        },
      ),
    return: (amount?: bigint) =>
      share(
        amount,
        (id) => read<bigint>('owed', [id, governor.address]),
        async (id, part) => {
          const all = await read<bigint>('owed', [id, governor.address])
          // A little more, for interest until the block; the market takes no more than is owed.
          const most = part < all ? part : all + all / 1_000n + 1n
          await governor.provide(token, most, markets)
          await governor.send(call('repay', [id, most]))
        },
      ),
    async lose(basisPoints: number) {
      for (const id of ids) {
        if (basisPoints > 0) {
          await governor.send(call('writeOff', [id, BigInt(basisPoints)]))
          continue
        }
        const [, , writtenOff] = await read<readonly [bigint, bigint, bigint]>('totals', [id])
        if (writtenOff === 0n) continue
        await governor.provide(token, writtenOff, markets)
        await governor.send(call('makeGood', [id]))
      }
    },
  }
}
