import { type Address, isAddressEqual, maxUint256, parseAbi, toFunctionSelector } from 'viem'
import type { StrategyControls } from '../strategy-state.ts'
import type { ContractCall, Governor } from './governor.ts'
import { RpcError } from './rpc.ts'

/** The function through which users' money moves. */
const OPERATE = toFunctionSelector(parseAbi(['function operate(address,int256,int256,address,address,bytes)'])[0])

interface FluidVault {
  readonly vault: Address
  readonly layer: Address
  readonly token: Address
}

/** A vault of Fluid's kind: at its layer the governor borrows, pauses it, moves its withdrawal limit, and replaces its code. */
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

  /** Absent on chains that 0.2.0 saved: their layer has one code. */
  async function upgraded(): Promise<{ readonly upgraded?: boolean }> {
    try {
      const [runs, other] = [await read<Address>('getSigsImplementation', OPERATE), await read<Address>('otherOperate')]
      return { upgraded: isAddressEqual(runs, other) }
    } catch (error) {
      if (error instanceof RpcError) return {}
      throw error
    }
  }

  return {
    liquidity,
    paused: (paused) => governor.send(call('setPaused', vault, token, paused)),
    upgraded: (upgraded) => governor.send(call('setUpgraded', upgraded)),
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
        ...(await upgraded()),
      }
    },
  }
}
