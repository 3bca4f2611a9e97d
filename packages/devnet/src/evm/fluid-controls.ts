import { type Address, maxUint256 } from 'viem'
import type { StrategyControls } from '../strategy-state.ts'
import type { ContractCall, Governor } from './governor.ts'

interface FluidVault {
  readonly vault: Address
  readonly layer: Address
  readonly token: Address
}

/** A vault of Fluid's kind: at its layer the governor borrows, pauses it, and moves its withdrawal limit. */
export function fluidControls(governor: Governor, { vault, layer, token }: FluidVault): StrategyControls {
  const call = (functionName: string, ...args: readonly unknown[]): ContractCall => {
    return { path: 'weir/FluidLayer', to: layer, functionName, args }
  }
  const read = <Result>(functionName: string, ...args: readonly unknown[]) =>
    governor.read<Result>(call(functionName, ...args))
  const least = (one: bigint, other: bigint) => (one < other ? one : other)
  const held = () =>
    governor.read<bigint>({ path: 'weir/DevToken', to: token, functionName: 'balanceOf', args: [layer] })

  async function liquidity(direction: 'leave' | 'return', amount = maxUint256): Promise<void> {
    if (direction === 'leave') {
      const wanted = least(amount, await held())
      if (wanted > 0n) await governor.send(call('borrow', token, wanted))
      return
    }
    const paid = least(amount, await read<bigint>('principalOf', token, governor.address))
    if (paid === 0n) return
    await governor.provide(token, paid, layer)
    await governor.send(call('repay', token, paid))
  }

  return {
    liquidity,
    paused: (paused) => governor.send(call('setPaused', vault, token, paused)),
    withdrawable: (amount) => governor.send(call('setWithdrawable', vault, token, amount)),
    async read() {
      const assets = { path: 'weir/FluidToken', to: vault, functionName: 'totalAssets' }
      return {
        paused: await read<boolean>('isPaused', vault, token),
        frozen: false,
        depositCap: null,
        totalAssets: await governor.read<bigint>(assets),
        liquidity: await read<bigint>('withdrawableBy', vault, token),
        feeBasisPoints: 0,
      }
    },
  }
}
