/**
 * The files of the first load: few, because each costs a request, yet not one, because a file is evaluated as a whole.
 * What only some pages share stays out of them. The client has a file of its own: it asks for the session before
 * anything else is evaluated.
 */
export const firstLoad = [
  {
    name: 'client',
    test: /src[\\/]api[\\/](?:bank-numbers|client|early-session|overview-reads|paths|read-ahead)\.|preload-helper/,
    priority: 2,
  },
  { name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/, priority: 2 },
  { name: 'libraries', test: /node_modules/, minShareCount: 6, priority: 1 },
  { name: 'parts', test: /dashboard[\\/]src/, minShareCount: 3 },
]
