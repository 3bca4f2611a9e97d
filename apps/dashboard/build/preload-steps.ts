import type { Plugin } from 'vite'

/**
 * Names in the page what its first script imports step by step, and what those files import, so that all are loaded
 * at once; vite names only what that script imports at the beginning.
 */
export function preloadSteps(): Plugin {
  return {
    name: 'preload-steps',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {}, chunk }) {
        const files = new Set(chunk?.dynamicImports)
        // Iterating over a set includes what is added to it meanwhile.
        for (const file of files) {
          const step = bundle[file]
          if (step?.type === 'chunk') for (const each of step.imports) files.add(each)
        }
        return [...files]
          .filter((file) => file !== chunk?.fileName && !html.includes(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
            injectTo: 'head' as const,
          }))
      },
    },
  }
}
