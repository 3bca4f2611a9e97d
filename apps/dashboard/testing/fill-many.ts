import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { System } from '../../server/system/start-system.ts'
import { queueOperations } from '../../server/testing/queue-operations.ts'
import { requestsTo, until } from './client-wallet.ts'

/** More than the 100 entries that a list returns at most. */
export const MANY = 105
/** What the oldest wallet holds, with a buffer of 1,000; the others hold nothing. */
export const HELD = '777.00'
const PASSWORD = 'a long enough password'

export interface ManyFilled {
  readonly owner: { readonly email: string; readonly password: string }
  /** The oldest operational wallet, which no first page of 100 has. */
  readonly oldest: { readonly opWalletId: number; readonly address: string }
}

/**
 * An organization with more wallets and more operations that wait than one page of a list has. All of its money is in
 * the oldest wallet, so that sums of the first page are zero.
 */
export async function fillMany({ process, dataDir }: System): Promise<ManyFilled> {
  const owner = { email: `olga@many-${Date.now().toString(36)}.example`, password: PASSWORD }
  const register = { ...owner, name: 'Olga', organizationName: 'Many Wallets' }
  const session = await requestsTo(process.url)('POST', '/api/core/auth/register', register)
  const asOwner = requestsTo(process.url, { authorization: `Bearer ${session.accessToken}` })
  const keyed = requestsTo(process.url, {
    'x-api-key': (await asOwner('POST', '/api/core/apikeys/generate', { name: 'Many' })).apiKey,
  })
  const oldest = { opWalletId: 0, address: '' }
  for (let n = 0; n < MANY; n += 1) {
    const { address } = privateKeyToAccount(generatePrivateKey())
    const label = n === 0 ? 'Oldest' : `Branch ${n}`
    const { id } = await asOwner('POST', '/api/core/org-wallets', { address, blockchain: 'polygon', label })
    const monitor = { orgWalletId: id, token: 'USDC', ...(n === 0 && { bufferAmount: '1000.00' }) }
    const { opWalletId } = await asOwner('POST', '/api/core/wallets/add-and-monitor', monitor)
    if (n === 0) Object.assign(oldest, { opWalletId, address })
  }
  const faucet = { walletAddress: oldest.address, blockchain: 'polygon', token: 'USDC', amount: '777000000' }
  await keyed('POST', '/v1/sandbox/faucet', faucet)
  await until(asOwner, '/api/core/wallets/stats', ({ totalBalance }) => totalBalance === HELD)
  await queueOperations(dataDir, session.organization.id)
  return { owner, oldest }
}
