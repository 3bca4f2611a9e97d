import type { Plugin } from 'vite'

const HOOK = /@mantine\/hooks\/esm\/use-id\/use-id\.mjs$/
const CODE = `import { useId as useReactId } from 'react'
export function useId(given) {
  const id = useReactId()
  return typeof given === 'string' ? given : 'mantine-' + id.replaceAll(':', '')
}
`

/**
 * Lets Mantine's fields, menus and dialogs keep the ids of React. Its own hook replaces them by random ones as soon as they
 * are there, so that each page rendered a second time in the task that shows it, where no tap can come in between.
 */
export function reactIds(): Plugin {
  let isFound = false
  return {
    name: 'react-ids',
    transform(_, id) {
      if (!HOOK.test(id)) return
      isFound = true
      return { code: CODE, map: null }
    },
    generateBundle() {
      if (!isFound) this.error('Mantine has its hook for ids elsewhere')
    },
  }
}
