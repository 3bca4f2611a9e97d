/** The kinds of results, by the words that people use for them. */
const WORDS = {
  operations: ['operation', 'operations', 'op', 'supply', 'unwind', 'deposit', 'withdrawal'],
  wallets: ['wallet', 'wallets', 'address'],
  positions: ['position', 'positions', 'allocation'],
  payments: ['payment', 'payments', 'transfer'],
  recipients: ['recipient', 'recipients'],
} as const

export type FoundKind = keyof typeof WORDS

/** `operation 5`, `wallet #3`, `Operation#5`: the kind and the id of one thing; undefined for any other text. */
export function kindAndId(text: string): { readonly kind: FoundKind; readonly id: number } | undefined {
  const [, word = '', id] = /^([a-z]+)\s*#?\s*([1-9]\d{0,14})$/i.exec(text.trim()) ?? []
  const kind = (Object.keys(WORDS) as FoundKind[]).find((each) =>
    (WORDS[each] as readonly string[]).includes(word.toLowerCase()),
  )
  return kind && { kind, id: Number(id) }
}
