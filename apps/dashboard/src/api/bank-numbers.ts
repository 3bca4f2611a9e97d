const NAMES = /(?:account|routing)_?number$|^iban$/i

/**
 * The body of a request without the numbers of bank accounts: their last four digits stay, as the service shows them.
 */
export function withoutBankNumbers(body: unknown): unknown {
  if (body === undefined) return undefined
  return JSON.parse(
    JSON.stringify(body, (name, value) =>
      NAMES.test(name) && ['string', 'number'].includes(typeof value) ? `****${String(value).slice(-4)}` : value,
    ),
  )
}
