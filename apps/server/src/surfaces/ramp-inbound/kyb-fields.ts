/** The fields of the form, with their maximum lengths. */
const FIELDS = {
  legal_name: { label: 'Legal name', most: 200, pattern: /\S/, wrong: 'Enter the registered name.' },
  registration_number: {
    label: 'Registration number',
    most: 50,
    pattern: /\S/,
    wrong: 'Enter the registration number.',
  },
  country: {
    label: 'Country',
    most: 2,
    pattern: /^[A-Za-z]{2}$/,
    wrong: 'Enter the two-letter country code, such as US.',
  },
  email: { label: 'Email', most: 254, pattern: /^[^\s@]+@[^\s@]+\.[^\s@]+$/, wrong: 'Enter an email address.' },
} as const
export type KybFieldName = keyof typeof FIELDS
const FIELD_NAMES = Object.keys(FIELDS) as KybFieldName[]

/** The values of a form and the problems found in them. */
export interface KybFormInput {
  readonly values: Readonly<Record<KybFieldName, string>>
  readonly problems: Readonly<Partial<Record<KybFieldName | 'accurate', string>>>
}

export const EMPTY_FORM: KybFormInput = {
  values: { legal_name: '', registration_number: '', country: '', email: '' },
  problems: {},
}

export function parseKybForm(body: Buffer): KybFormInput {
  const submitted = new URLSearchParams(body.toString('utf8'))
  const problems: Partial<Record<KybFieldName | 'accurate', string>> = {}
  const entries = FIELD_NAMES.map((name): [KybFieldName, string] => {
    const { most, pattern, wrong } = FIELDS[name]
    const value = (submitted.get(name) ?? '').trim()
    if (value.length > most || !pattern.test(value)) problems[name] = wrong
    return [name, value.slice(0, most)]
  })
  if (submitted.get('accurate') === null) problems.accurate = 'Confirm that your answers are correct.'
  return { values: Object.fromEntries(entries) as Record<KybFieldName, string>, problems }
}
