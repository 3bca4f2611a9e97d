import { SSO_SIGN_IN_MS } from '../../../../kernel/index.ts'

/** The cookie that binds a sign-in to the browser that began it. */
export interface BrowserCookie {
  /** The value of `Set-Cookie`. */
  set(secret: string): string
  clear(): string
  /** The secret in a `Cookie` header; `undefined` if there is none, or more than one. */
  read(header: string | undefined): string | undefined
}

/**
 * HttpOnly, and SameSite=Lax, because the identity provider sends the browser back from another site. Over https it also
 * has the prefix `__Host-`: another host of the same domain cannot set it, so nobody can plant their own sign-in.
 */
export function browserCookie(callbackUrl: string): BrowserCookie {
  const isSecure = callbackUrl.startsWith('https://')
  const name = isSecure ? '__Host-weir-sso' : 'weir-sso'
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    set: (secret) => `${name}=${secret}; Max-Age=${SSO_SIGN_IN_MS / 1_000}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
    read(header = '') {
      const values = header.split(';').flatMap((pair) => {
        const [key, value = ''] = pair.trim().split('=', 2)
        return key === name ? [value] : []
      })
      return values.length === 1 && /^[0-9A-Za-z]{43}$/.test(values[0]!) ? values[0] : undefined
    },
  }
}
