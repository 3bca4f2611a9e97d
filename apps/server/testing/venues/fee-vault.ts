import { readFileSync } from 'node:fs'
import { type Abi, type Address, createPublicClient, createWalletClient, getAddress, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Call } from '../../src/chains/index.ts'
import { contractCall } from '../../src/venues/evm/contract-call.ts'

const { abi, bytecode }: { readonly abi: Abi; readonly bytecode: Hex } = JSON.parse(
  readFileSync(new URL('../../../../packages/devnet/artifacts/weir/FeeVault.json', import.meta.url), 'utf8'),
)

/** In hundredths of a percent. */
export interface VaultFees {
  readonly entry?: number
  readonly exit?: number
  /** Its previews leave them out. */
  readonly concealed?: boolean
}

/** For tests: a vault that keeps a part of deposits and withdrawals. It has no yield, and no fees at first. */
export interface FeeVault {
  readonly vault: Address
  /** The call that sets its fees. */
  charging(fees: VaultFees): Call
}

export async function deployFeeVault(url: string, key: Hex, token: string): Promise<FeeVault> {
  const transport = http(url)
  const account = privateKeyToAccount(key)
  const deployment = { abi, bytecode, args: [token], account, chain: null }
  const hash = await createWalletClient({ account, transport }).deployContract(deployment)
  const { contractAddress } = await createPublicClient({ transport }).waitForTransactionReceipt({ hash })
  const vault = getAddress(contractAddress!)
  return {
    vault,
    charging: ({ entry = 0, exit = 0, concealed = false }) =>
      contractCall(vault, { abi, functionName: 'setFees', args: [BigInt(entry), BigInt(exit), concealed] }),
  }
}
