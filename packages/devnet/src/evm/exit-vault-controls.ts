import { type Address, numberToHex } from 'viem'
import type { StrategyControls } from '../strategy-state.ts'
import { createGovernor, type Governor } from './governor.ts'
import type { Rpc } from './rpc.ts'

interface ExitVault {
  readonly protocol: 'erc7540' | 'cooldown-vault'
  readonly vault: Address
  readonly token: Address
}

/**
 * A vault whose withdrawals take time: the governor settles the requests of one, and sets the cooldown of the other. A
 * loss sends assets of the vault away and lowers the price per share; what is claimable already is elsewhere and keeps its value.
 */
export function exitVaultControls(
  governor: Governor,
  rpc: Rpc,
  { protocol, vault, token }: ExitVault,
): StrategyControls {
  const path = protocol === 'erc7540' ? 'weir/AsyncRedeemVault' : 'weir/CooldownVault'
  const call = (functionName: string, ...args: readonly unknown[]) => ({ path, to: vault, functionName, args })
  const totalAssets = () => governor.read<bigint>(call('totalAssets'))
  const lose = async (basisPoints: number) => {
    if (basisPoints === 0) return
    // What is owed counts in `totalAssets` before it is minted: only what the vault holds can leave.
    await governor.send(call('accrue'))
    const lost = ((await totalAssets()) * BigInt(basisPoints)) / 10_000n
    await rpc.call('anvil_setBalance', [vault, numberToHex(10n ** 20n)])
    const transfer = { path: 'weir/DevToken', to: token, functionName: 'transfer', args: [governor.address, lost] }
    await createGovernor(rpc, vault).send(transfer)
  }
  return {
    lossBasisPoints: lose,
    ...(protocol === 'erc7540'
      ? { pendingExits: () => governor.send(call('settle')) }
      : { cooldownSeconds: (seconds: number) => governor.send(call('setCooldownDuration', BigInt(seconds))) }),
    async read() {
      const assets = await totalAssets()
      const state = { paused: false, frozen: false, depositCap: null, feeBasisPoints: 0 }
      const cooldown = protocol === 'erc7540' ? undefined : await governor.read<bigint>(call('cooldownDuration'))
      // What one owner could withdraw at once: everything without a cooldown, otherwise nothing.
      const liquidity = cooldown === 0n ? assets : 0n
      return {
        ...state,
        totalAssets: assets,
        liquidity,
        ...(cooldown !== undefined && { cooldownSeconds: Number(cooldown) }),
      }
    },
  }
}
