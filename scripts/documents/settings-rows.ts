import { linkPages } from './link-pages.ts'

export interface DocumentedSetting {
  readonly name: string
  readonly byDefault: string | undefined
  readonly meaning: string
}

const CHAIN = /\b(?:Ethereum|Polygon|Base|Solana)\b/g

/** The rows of a table of settings. Neighbours that differ by their chain only share a row. */
export function settingsRows(settings: readonly DocumentedSetting[]): string {
  const groups: DocumentedSetting[][] = []
  for (const setting of settings) {
    const last = groups.at(-1)
    if (last && isAlike(last[0]!, setting)) last.push(setting)
    else groups.push([setting])
  }
  return groups.map(row).join('\n')
}

const isAlike = (one: DocumentedSetting, other: DocumentedSetting): boolean =>
  one.meaning !== other.meaning && one.byDefault === other.byDefault && ofChain(one.meaning) === ofChain(other.meaning)

const ofChain = (meaning: string): string => meaning.replaceAll(CHAIN, 'the chain')

function row(group: readonly DocumentedSetting[]): string {
  const { byDefault, meaning } = group[0]!
  const names = group.map(({ name }) => `\`${name}\``).join(', ')
  return `| ${names} | ${byDefault === undefined ? '' : `\`${byDefault}\``} | ${linkPages(group.length > 1 ? ofChain(meaning) : meaning)}. |`
}
