import { type Address, maxUint256 } from 'viem'
import type { StrategyControls } from '../strategy-state.ts'
import type { ContractCall, Governor } from './governor.ts'

/** A vault that people borrow from: its governor borrows, caps deposits, and disables what hooks would. */
export function creditVaultControls(governor: Governor, vault: Address, token: Address): StrategyControls {
  const call = (functionName: string, ...args: readonly unknown[]): ContractCall => {
    return { path: 'weir/CreditVault', to: vault, functionName, args }
  }
  const read = <Result>(functionName: string, ...args: readonly unknown[]) =>
    governor.read<Result>(call(functionName, ...args))
  const disable = (deposits: boolean, withdrawals: boolean) => governor.send(call('disable', deposits, withdrawals))
  const least = (one: bigint, other: bigint) => (one < other ? one : other)

  async function liquidity(direction: 'leave' | 'return', amount = maxUint256): Promise<void> {
    if (direction === 'leave') {
      const wanted = least(amount, await read<bigint>('cash'))
      if (wanted > 0n) await governor.send(call('borrow', wanted))
      return
    }
    const paid = least(amount, await read<bigint>('principalOf', governor.address))
    if (paid === 0n) return
    await governor.provide(token, paid, vault)
    await governor.send(call('repay', paid))
  }

  return {
    liquidity,
    depositCap: (cap) => governor.send(call('setSupplyCap', cap ?? maxUint256)),
    paused: (paused) => disable(paused, paused),
    // Withdrawals stay as they are.
    frozen: async (frozen) => disable(frozen, await read<boolean>('withdrawalsDisabled')),
    async read() {
      const cap = await read<bigint>('supplyCap')
      const withdrawalsDisabled = await read<boolean>('withdrawalsDisabled')
      return {
        paused: withdrawalsDisabled,
        frozen: (await read<boolean>('depositsDisabled')) && !withdrawalsDisabled,
        depositCap: cap === maxUint256 ? null : cap,
        totalAssets: await read<bigint>('totalAssets'),
        liquidity: await read<bigint>('cash'),
        feeBasisPoints: 0,
      }
    },
  }
}
