import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { System } from '../../server/system/service/start-system.ts'
import { abortOperations, holdPositions } from '../../server/testing/operations/queue-operations.ts'
import { type Request, requestsTo } from './client-wallet.ts'

/** More than two pages of a table have. */
export const POSITIONS = 60
/** More than a list of the service returns at most, and each leaves an entry in the audit log. */
export const PROFILES = 120
/** Versions of the policy that are no longer in force: at least one more than a page of a table has. */
const VERSIONS = 26
/** One more than a page of their table has. */
const ACCOUNTS = 26
/** Aborted ones of the oldest wallet: one more than the service lists with a position. */
const OPERATIONS = 101
const PASSWORD = 'a long enough password'

export interface LongFilled {
  readonly owner: { readonly email: string; readonly password: string }
  readonly asOwner: Request
  /** On the second page of the table of service accounts. */
  readonly oldestAccount: number
}

/** An organization whose positions, wallet profiles versions of its policy and service accounts fill more than one page of their tables. */
export async function fillLong({ process, dataDir }: System): Promise<LongFilled> {
  const owner = { email: `lena@long-${Date.now().toString(36)}.example`, password: PASSWORD }
  const register = { ...owner, name: 'Lena', organizationName: 'Long Lists' }
  const session = await requestsTo(process.url)('POST', '/api/core/auth/register', register)
  const asOwner = requestsTo(process.url, { authorization: `Bearer ${session.accessToken}` })
  const accounts: number[] = []
  const { address } = privateKeyToAccount(generatePrivateKey())
  await asOwner('POST', '/api/core/org-wallets', { address, blockchain: 'polygon', label: 'Oldest' })
  await holdPositions(dataDir, session.organization.id, POSITIONS)
  await abortOperations(dataDir, session.organization.id, OPERATIONS)
  await addProfiles(asOwner, 'Profile', PROFILES)
  for (let n = 0; n < ACCOUNTS; n += 1)
    accounts.push((await asOwner('POST', '/api/core/service-accounts', { name: `Program ${n}`, role: 'viewer' })).id)
  for (let n = 0; n <= VERSIONS; n += 1) {
    const policy = { mode: 'conditional', rules: [], default: 'approve', requiredApprovals: (n % 2) + 1 }
    await asOwner('PUT', '/api/core/approval-policy', policy)
  }
  return { owner, asOwner, oldestAccount: accounts[0]! }
}

/** Adds this many profiles, so that the audit log grows by as many entries. */
export async function addProfiles(asOwner: Request, name: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await asOwner('POST', '/api/core/wallet-profiles', { name: `${name} ${n}` })
}
