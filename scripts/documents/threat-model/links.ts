/** Who calls whom, and what the call carries. */
export const LINKS: readonly (readonly [from: string, to: string, carries: string])[] = [
  ['browser', 'api', 'session or key, signed transactions'],
  ['agent', 'api', 'leases, reports'],
  ['agent', 'signer', 'bytes to sign'],
  ['agent', 'rpc', 'signed transactions'],
  ['api', 'database', 'all state'],
  ['workers', 'database', 'all state'],
  ['api', 'rpc', 'reads, broadcasts'],
  ['workers', 'rpc', 'blocks'],
  ['api', 'bank', 'customers, accounts'],
  ['bank', 'api', 'signed events'],
  ['workers', 'receiver', 'signed events'],
  ['host', 'api', 'settings, secrets'],
  ['browser', 'idp', 'sign-in'],
  ['api', 'idp', 'codes for tokens'],
  ['workers', 'mail', 'links, notices'],
]
