/** Whether settings are the same, as the service reads them: it writes `31` as `31.00`. */
export const isSameSettings = (one: unknown, other: unknown): boolean => plain(one) === plain(other)

const plain = (settings: unknown): string =>
  JSON.stringify(settings, (_name, value) =>
    typeof value === 'string' && /^\d+\.\d+$/.test(value) ? value.replace(/\.?0+$/, '') : value,
  )
