# Normalizations, attention and dropout as PyTorch's own compiler writes them.

def _addmm_activation(self, mat1, mat2, beta=1, alpha=1, use_gelu: bool=False):
  y = torch.addmm(self, mat1, mat2, beta=beta, alpha=alpha)
  return torch.gelu(y) if use_gelu else torch.relu(y)

def _batch_norm_impl_index(input, weight, bias, running_mean, running_var, training: bool, momentum: float, eps: float, cudnn_enabled: bool):
  y = torch.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, False)
  none = torch.zeros([0])
  return (y, none, none, none, 0)

def _log_softmax(self, dim: int, half_to_float: bool):
  return torch.log_softmax(self, dim, 6 if half_to_float else None)

def _masked_softmax(self, mask, dim=None, mask_type=None):
  at = -1 if dim is None else dim
  wide = mask
  if mask_type is not None and mask_type == 1:
    wide = torch.reshape(mask, [torch.size(mask, 0), 1, 1, torch.size(mask, 1)])
  return torch.softmax(torch.masked_fill(self, wide, -inf), at)

def _scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p: float=0., need_attn_weights: bool=False, is_causal: bool=False):
  y = torch.scaled_dot_product_attention(query, key, value, attn_mask, 0., is_causal)
  if not need_attn_weights:
    return (y, torch.zeros([0]))
  scale = 1. / torch.sqrt(torch.size(query, -1))
  scores = torch.matmul(query * scale, torch.transpose(key, -2, -1))
  if is_causal:
    later = torch.triu(torch.ones([torch.size(query, -2), torch.size(key, -2)], dtype=11), 1)
    scores = torch.masked_fill(scores, later, -inf)
  if attn_mask is not None:
    if torch.dtype(attn_mask) == 11:
      scores = torch.masked_fill(scores, torch.logical_not(attn_mask), -inf)
    else:
      scores = scores + attn_mask
  return (y, torch.softmax(scores, -1))

def _softmax(self, dim: int, half_to_float: bool):
  return torch.softmax(self, dim, 6 if half_to_float else None)

def _weight_norm_interface(v, g, dim: int=0):
  return (torch._weight_norm(v, g, dim), torch.norm_except_dim(v, 2, dim))

def feature_alpha_dropout(input, p: float, train: bool):
  return torch.alpha_dropout(input, p, train)

def native_batch_norm(input, weight, bias, running_mean, running_var, training: bool, momentum: float, eps: float):
  y = torch.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, False)
  return (y, torch.zeros([0]), torch.zeros([0]))

def native_dropout(input, p: float, train=None):
  y = torch.dropout(input, p, False if train is None else train)
  return (y, torch.ones_like(input, dtype=11))

def native_group_norm(input, weight, bias, N: int, C: int, HxW: int, group: int, eps: float):
  rows = torch.reshape(input, [N, group, -1])
  mean = torch.mean(rows, [2])
  return (torch.group_norm(input, group, weight, bias, eps), mean, torch.rsqrt(torch.var(rows, [2], False) + eps))

def native_layer_norm(input, normalized_shape: List[int], weight, bias, eps: float):
  dims = annotate(List[int], [])
  for i in range(torch.len(normalized_shape)):
    _0 = torch.append(dims, torch.dim(input) - 1 - i)
  mean = torch.mean(input, dims, True)
  deviation = torch.rsqrt(torch.var(input, dims, False, True) + eps)
  return (torch.layer_norm(input, normalized_shape, weight, bias, eps), mean, deviation)
