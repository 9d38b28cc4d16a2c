# Colours of images [...,3], and landmarks in images.

def __hsv_of(rgb):
  red = torch.slice(rgb, -1, 0, 1)
  green = torch.slice(rgb, -1, 1, 2)
  blue = torch.slice(rgb, -1, 2, 3)
  value = torch.maximum(torch.maximum(red, green), blue)
  width = value - torch.minimum(torch.minimum(red, green), blue)
  is_grey = torch.eq(width, 0.)
  sixth = 0.16666666666666666 / torch.where(is_grey, 1., width)
  hue = torch.where(torch.eq(green, value), sixth * (blue - red) + 0.33333333333333331, sixth * (red - green) + 0.66666666666666663)
  hue = torch.where(torch.eq(red, value), sixth * (green - blue), hue)
  hue = torch.where(is_grey, 0., torch.where(torch.lt(hue, 0.), hue + 1., hue))
  has_light = torch.gt(value, 0.)
  saturation = torch.where(has_light, width / torch.where(has_light, value, 1.), 0.)
  return (hue, saturation, value)

# One by one: nodes between channels of one shape are computed in one pass.
def __channel(share, saturation, value):
  return (1. - saturation + saturation * torch.clamp(share, 0., 1.)) * value

def __rgb_of(hue, saturation, value):
  turn = hue * 6.
  red = torch.__channel(torch.abs(turn - 3.) - 1., saturation, value)
  green = torch.__channel(2. - torch.abs(turn - 2.), saturation, value)
  blue = torch.__channel(2. - torch.abs(turn - 4.), saturation, value)
  return torch.cat([red, green, blue], -1)

def __rgb_to_hsv(images):
  hue, saturation, value, = torch.__hsv_of(images)
  return torch.cat([hue, saturation, value], -1)

def __hsv_to_rgb(images):
  return torch.__rgb_of(torch.slice(images, -1, 0, 1), torch.slice(images, -1, 1, 2), torch.slice(images, -1, 2, 3))

# By a part of a turn.
def __adjust_hue(images, delta):
  hue, saturation, value, = torch.__hsv_of(images)
  turned = hue + delta
  return torch.__rgb_of(turned - torch.floor(turned), saturation, value)

def __adjust_saturation(images, factor):
  hue, saturation, value, = torch.__hsv_of(images)
  return torch.__rgb_of(hue, torch.clamp(saturation * factor, 0., 1.), value)

# Distances from the mean of each image's channel become longer by a factor.
def __adjust_contrast(images, factor):
  mean = torch.mean(images, [-3, -2], True)
  return (images - mean) * factor + mean

# The matrix [1,4,4] from elements of an image of this size to the part around some of the landmarks [1,n,...]: shifted
# to the middle of the turned landmarks, turned back, scaled to their size, shifted by half the image. `cosine` and
# `sine` are of the angle that the line between two landmarks gets; two in one place have the angle 0.
def __transform_of_landmarks(landmarks, left: int, right: int, subset: List[int], cosine: float, sine: float, scale_x: float, scale_y: float, height: int, width: int):
  points = torch.slice(torch.select(landmarks, 0, 0), 1, 0, 2)
  line = torch.select(points, 0, right) - torch.select(points, 0, left)
  length = torch.linalg_vector_norm(line, 2, [0], True)
  is_one_place = torch.lt(length, 1.0e-30)
  x = torch.where(is_one_place, 1., torch.slice(line, 0, 0, 1) / length)
  y = torch.where(is_one_place, 0., torch.slice(line, 0, 1, 2) / length)
  cos = x * cosine + y * sine
  sin = x * sine - y * cosine
  back = torch.reshape(torch.cat([cos, sin, torch.neg(sin), cos]), [2, 2])
  turned = torch.matmul(torch.index_select(points, 0, torch.tensor(subset)), back)
  high = torch.amax(turned, [0])
  low = torch.amin(turned, [0])
  scaled = back * ((high - low) * torch.tensor([scale_x / width, scale_y / height]))
  middle = (high + low) * 0.5
  shift = torch.sum(back * middle - scaled * torch.tensor([width * 0.5, height * 0.5]), [1], True)
  rows = torch.cat([scaled, torch.zeros([2, 1]), shift], 1)
  others = torch.reshape(torch.tensor([0., 0., 1., 0., 0., 0., 0., 1.]), [2, 4])
  return torch.unsqueeze(torch.cat([rows, others]), 0)

def __coordinate(landmarks, matrix, row: int):
  numbers = torch.slice(matrix, 1, row, row + 1)
  x = torch.slice(landmarks, 2, 0, 1) * torch.slice(numbers, 2, 0, 1)
  y = torch.slice(landmarks, 2, 1, 2) * torch.slice(numbers, 2, 1, 2)
  return x + y + torch.slice(numbers, 2, 3, 4)

# x and y of landmarks [1,n,2 or 3] go through a matrix [1,4,4].
def __transformed_landmarks(landmarks, matrix):
  moved = torch.cat([torch.__coordinate(landmarks, matrix, 0), torch.__coordinate(landmarks, matrix, 1)], 2)
  return torch.cat([moved, torch.slice(landmarks, 2, 2)], 2) if torch.size(landmarks, 2) == 3 else moved
