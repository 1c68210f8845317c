/** The lists of standard filters, one per model. */
export const CATALOG_PATHS = {
  'face-v1': '/v1/filters/',
  'face-v5': '/v5/filters',
  'face-v6': '/v6/filters',
  classic: '/v4/multi_swap_styles/',
  realistic: '/v1/realistic_multiswap_styles/',
  stylized: '/v1/stylized_multiswap_styles/',
} as const;

export type ServiceCatalogName = keyof typeof CATALOG_PATHS;
