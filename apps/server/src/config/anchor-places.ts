import { apiUrl, directory, type SettingParser, urlOf } from './setting-parsers.ts'

/** A place that keeps anchors of the audit log. */
export type AnchorPlace =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'webhook' | 'rfc3161'; readonly url: string }

/** A comma-separated list; time stamps come first, because the other places keep their tokens. */
export const anchorPlaces: SettingParser<readonly AnchorPlace[]> = (text) => {
  const places = text.split(',').map((part) => placeOf(part.trim()))
  return places.toSorted((a, b) => Number(b.kind === 'rfc3161') - Number(a.kind === 'rfc3161'))
}

function placeOf(text: string): AnchorPlace {
  if (/^file:./.test(text)) return { kind: 'file', path: directory(text.slice('file:'.length)) }
  if (text.startsWith('rfc3161:'))
    return { kind: 'rfc3161', url: urlOf('http:', 'https:')(text.slice('rfc3161:'.length)) }
  if (/^https?:/.test(text)) return { kind: 'webhook', url: apiUrl(text) }
  throw new RangeError('must be file:PATH, https://..., rfc3161:URL, or several of them, separated by commas')
}

/** A secret of Standard Webhooks. */
export const webhookSecret: SettingParser<string> = (text) => {
  const bytes = /^whsec_([A-Za-z0-9+/]+={0,2})$/.test(text) ? Buffer.from(text.slice(6), 'base64').length : 0
  if (bytes >= 24 && bytes <= 64) return text
  throw new RangeError('must be whsec_ and 24 to 64 bytes in base64')
}
