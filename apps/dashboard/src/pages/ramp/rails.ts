const NAMES: Readonly<Record<string, string>> = { ach: 'ACH', fedwire: 'Fedwire', swift: 'SWIFT' }

/** The name of the way that dollars take between banks; one that is not known here as the service says it. */
export const railName = (rail: string): string => NAMES[rail] ?? rail

/** Those that an account can be opened for. */
export const RAILS = Object.entries(NAMES).map(([value, label]) => ({ value, label }))
