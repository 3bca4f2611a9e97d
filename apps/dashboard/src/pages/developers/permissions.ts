export const PERMISSIONS = ['read', 'plan', 'submit', 'ramp', 'agent'] as const

/** What each permission opens, in a sentence; the same words stand where a key is made and where it is taken away. */
export const OPENS: Readonly<Record<string, string>> = {
  read: 'reads wallets, positions, operations and events',
  plan: 'plans operations and registers wallets',
  submit: 'submits signed transactions',
  ramp: 'moves money between banks and chains',
  agent: 'leases transactions to sign them',
}
