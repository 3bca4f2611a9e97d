import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { System } from '../../server/system/service/start-system.ts'
import { abortOperations, queueOperations } from '../../server/testing/operations/queue-operations.ts'
import { type Request, requestsTo, until } from './client-wallet.ts'

/** More than the 100 entries that a list returns at most. */
export const MANY = 105
/** Operations that have ended: more rows than a browser should hold at once. */
export const ENDED = 10_050
/** What the oldest wallet holds, with a buffer of 1,000; the others hold nothing. */
export const HELD = '777.00'
/** Change requests that wait: one more than a page of their table has. */
export const CHANGES = 26
const PASSWORD = 'a long enough password'

export interface ManyFilled {
  readonly owner: { readonly email: string; readonly password: string }
  /** The oldest operational wallet, which no first page of 100 has. */
  readonly oldest: { readonly opWalletId: number; readonly address: string }
  /** The oldest change request, which is on the second page of the table. */
  readonly oldestChange: number
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
  await abortOperations(dataDir, session.organization.id, ENDED)
  await queueOperations(dataDir, session.organization.id)
  return { owner, oldest, oldestChange: await requestChanges(process.url, asOwner) }
}

/** Keys that wait for a second person, more than one page of the table; returns the id of the first request. */
async function requestChanges(url: string, asOwner: Request): Promise<number> {
  const admin = { email: `ada@many-${Date.now().toString(36)}.example`, password: PASSWORD }
  await asOwner('POST', '/api/core/members', { ...admin, role: 'admin' })
  const { accessToken } = await requestsTo(url)('POST', '/api/core/auth/login', admin)
  const asAdmin = requestsTo(url, { authorization: `Bearer ${accessToken}` })
  await asOwner('PUT', '/api/core/change-policy', { rules: { keys: { requiredApprovals: 1, coolingOffSeconds: 0 } } })
  const ids: number[] = []
  // One member has fewer places than a page has rows.
  for (let n = 0; n < CHANGES; n += 1)
    ids.push((await (n % 2 === 0 ? asOwner : asAdmin)('POST', '/api/core/apikeys/generate', { name: `Key ${n}` })).id)
  return ids[0]!
}
