import { base58 } from '@scure/base'
import { GOOD_NODES } from '../service/node.ts'
import type { Sabotage } from '../service/service.ts'
import { MARKETS } from '../solana/world/market.ts'
import type { BrokenRule } from './broken-rule.ts'

/** Clients plan against vaults that pause, are full, or have lent what they hold. */
const unkind = (...often: readonly string[]) =>
  ({ chain: 'solana', unkind: true, faults: GOOD_NODES, often: ['mine', 'follow the chain', ...often] }) as const

/** Changes the accounts that nodes report. */
const accounts = (change: (data: Buffer) => void): Sabotage => ({
  rpc(method, result) {
    if (method !== 'getMultipleAccounts') return result
    const { context, value } = result as { context: unknown; value: ({ data: [string, string] } | null)[] }
    return {
      context,
      value: value.map((account) => {
        if (!account) return account
        const data = Buffer.from(account.data[0], 'base64')
        change(data)
        return { ...account, data: [data.toString('base64'), 'base64'] }
      }),
    }
  },
})

const VAULT_SIZE = 192
const TOKEN_ACCOUNT_SIZE = 165
const VAULTS = MARKETS.map(({ vault }) => Buffer.from(base58.decode(vault)))

/** Broken rules of vaults that refuse. Other chains report such states by other means. */
export const BROKEN_VAULTS: readonly BrokenRule[] = [
  {
    rule: 10,
    name: 'the pause of a share vault is not read',
    seed: 10,
    steps: 50,
    emphasis: unkind('plan a supply', 'pause a vault'),
    finds: /failed its simulation, where the vault refuses: paused/,
    sabotage: accounts((data) => {
      if (data.length === VAULT_SIZE) data[9] = 0
    }),
  },
  {
    rule: 10,
    name: 'the cap of a share vault is not read',
    seed: 18,
    steps: 50,
    emphasis: unkind('plan a supply', 'cap a vault'),
    finds: /failed its simulation, where the vault refuses: (full|part)/,
    sabotage: accounts((data) => {
      if (data.length === VAULT_SIZE) data.fill(0, 10, 16)
    }),
  },
  {
    rule: 7,
    name: 'what a share vault lent out counts as withdrawable',
    seed: 16,
    steps: 70,
    emphasis: unkind('plan a supply', 'submit the next transaction', 'lend out a vault'),
    finds: /and its vault pays/,
    sabotage: accounts((data) => {
      const isOfVault = VAULTS.some((vault) => vault.equals(data.subarray(32, 64)))
      if (data.length === TOKEN_ACCOUNT_SIZE && isOfVault) data.writeBigUInt64LE(10n ** 16n, 64)
    }),
  },
]
