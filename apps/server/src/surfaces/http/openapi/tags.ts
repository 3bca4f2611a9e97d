/** The chapters of the API reference in the order in which a reader meets them. Each route is in one of them. */
export const TAGS: Readonly<Record<string, string>> = {
  Wallets: 'v1: wallets of your users; register one before you plan anything for it.',
  Venues: 'v1: lending protocols, their strategies, and what they pay now.',
  Operations: 'v1: plan a supply or an unwind, follow it, cancel it, get its bytes anew.',
  Transactions: 'v1: submit what you signed, or the hash of what you sent yourself.',
  Allocations: 'v1: open positions, what they are worth, and what they earned.',
  'Ramp: verification': 'v1: verify the organization (KYB) before money moves between banks and chains.',
  'Ramp: recipients': 'v1: those who are paid, or pay in; each with a verification of its own.',
  'Ramp: accounts': 'v1: bank accounts whose payments arrive as tokens, and deposit addresses that pay out to banks.',
  'Ramp: transactions': 'v1: what was ramped: quotes, records, summaries, CSV.',
  'Ramp: simulator': 'v1, in the sandbox only: payments and deposits that really move tokens of the embedded chains.',
  'Ramp: provider': 'Where the banking partner sends its events; not for callers.',
  Sandbox: 'In the sandbox only: tokens from the faucet, time, chain faults, RPC endpoints.',
  Authentication: 'core: register an organization, log in, renew a session.',
  Organization: 'core: the organization itself, and its end.',
  Members: 'core: people of the organization and their roles.',
  'API keys': 'core: keys for applications and agents; each is shown once.',
  'Wallet profiles': 'core: groups of wallets, each with its chains, its time to sign, and keys of its own.',
  'Organization wallets':
    'core: wallets of the organization, of both surfaces; import and label them, and statistics of all.',
  'Operational wallets':
    'core: wallets whose money is looked after, with a buffer that stays liquid; what rebalancing would do, and caps on strategies.',
  'Core allocations': 'core: positions with the portfolio; deployments and withdrawals on request.',
  'Core operations': 'core: what moves, waits, and moved, of both surfaces; approve and reject.',
  'Approval policy': 'core: who has to agree before money moves, and what would happen to a given operation.',
  'Audit log': 'core: who did what, when, and from where; append-only.',
  Custody: 'core: ask your custody agent for a new wallet, and see what came of it.',
  Agent: 'For custody agents: lease work, renew, report, have signed bytes sent.',
  Webhooks: 'core: signed events to endpoints of yours, their deliveries, and repeating one.',
  Events: 'The same events as a list and as a stream, on both surfaces.',
  Preview: 'Announced and not promised yet; served with `PREVIEW=1`.',
  Service: 'Whether it is up and ready, its metrics, and this document.',
}

/** The chapters that this service has, for the top of its document. */
export function tagsOf(paths: Readonly<Record<string, Record<string, { readonly tags?: unknown }>>>) {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const used = new Set(operations.flatMap(({ tags }) => (tags ?? []) as string[]))
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }))
}
