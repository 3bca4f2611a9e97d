import type { Scope } from '../../src/identity/index.ts'

/** One wallet of an organization, under the address of the client that holds its key. */
export interface WalletAccount {
  readonly organizationId: number
  readonly scope: Scope
  readonly walletId: number
}
