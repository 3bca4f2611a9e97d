import { updateOperationalWallet } from '../../src/wallets/index.ts'
import type { EvmRun } from '../evm-run.ts'
import type { Treasury } from './treasury.ts'

const TOKEN = 1_000_000n

/** Buffers need almost all that markets can pay to the rebalancer, so that each of them is asked. */
export async function raiseBuffers(run: EvmRun, treasury: Treasury): Promise<void> {
  for (const { organizationId, opWalletId, tokenAddress, address } of await treasury.wallets()) {
    const payable = run.marketLimits.payable(tokenAddress, address).reduce((sum, amount) => sum + amount, 0n)
    if (payable <= TOKEN) continue
    const buffer = run.balanceOf(tokenAddress, address) + payable - TOKEN
    await run.request(`raise the buffer of operational wallet ${opWalletId} to ${buffer}`, () =>
      updateOperationalWallet(run.service.parts, { organizationId, opWalletId, buffer }),
    )
  }
}
