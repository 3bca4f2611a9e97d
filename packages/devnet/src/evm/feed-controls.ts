import { type Address, getAddress } from 'viem'
import type { StrategyControls } from '../strategy-state.ts'
import type { ContractCall, Governor } from './governor.ts'

/** Adds the price feed of a strategy's token, which all strategies of the token share. */
export function feedControls(governor: Governor, feed: Address, controls: StrategyControls): StrategyControls {
  const call = (functionName: string, args: readonly unknown[] = []): ContractCall => ({
    path: 'weir/DevPriceFeed',
    to: feed,
    functionName,
    args,
  })
  return {
    ...controls,
    tokenPrice: (price) => governor.send(call('setPrice', [price])),
    async read() {
      const [, tokenPrice] = await governor.read<readonly [bigint, bigint]>(call('latestRoundData'))
      return { ...(await controls.read()), tokenPrice }
    },
  }
}

interface UpgradeableVault {
  readonly vault: Address
  readonly implementations: readonly [Address, Address]
}

/** A vault with a fixed rate whose code can be replaced. */
export function upgradeableVaultControls(
  governor: Governor,
  { vault, implementations }: UpgradeableVault,
): StrategyControls {
  const read = <Result>(functionName: string) =>
    governor.read<Result>({ path: 'weir/UpgradeableVault', to: vault, functionName })
  return {
    upgraded: (upgraded) =>
      governor.send({
        path: 'weir/GovernedProxy',
        to: vault,
        functionName: 'upgradeTo',
        args: [getAddress(implementations[upgraded ? 1 : 0])],
      }),
    async read() {
      const totalAssets = await read<bigint>('totalAssets')
      const upgraded = (await read<bigint>('codeVersion')) === 2n
      const state = { paused: false, frozen: false, depositCap: null, feeBasisPoints: 0 }
      return { ...state, totalAssets, liquidity: totalAssets, upgraded }
    },
  }
}
