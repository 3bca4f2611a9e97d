interface PolicyFactory {
  createPolicy(name: string, rules: { createHTML: (text: string) => string }): unknown
}

/**
 * The only text that becomes markup is the style sheet that the component library writes, which has no angle bracket.
 * Anything else is refused, so that no value from outside ever becomes an element.
 */
export function guardMarkup(): void {
  const { trustedTypes } = window as unknown as { trustedTypes?: PolicyFactory }
  trustedTypes?.createPolicy('default', {
    createHTML(text) {
      if (text.includes('<')) throw new TypeError('this page writes no markup')
      return text
    },
  })
}
